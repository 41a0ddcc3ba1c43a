package trace

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/koda-video/koda/internal/koda"
)

// tracer makes spans; nil makes none.
var tracer atomic.Pointer[trace.Tracer]

// Span is a stretch of work. A nil Span is none.
type Span struct{ of trace.Span }

// Start begins a span below that of ctx. About are names and values, in turns; values are
// numbers, words of koda, or ids. The caller ends the span.
func Start(ctx context.Context, name string, about ...any) (context.Context, *Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, nil
	}
	ctx, span := (*t).Start(ctx, name)
	s := &Span{span}
	s.Set(about...)
	return ctx, s
}

// Set says more about a span, in the form that Start takes.
func (s *Span) Set(about ...any) {
	if s == nil {
		return
	}
	for i := 0; i+1 < len(about); i += 2 {
		key := "koda." + fmt.Sprint(about[i])
		switch v := about[i+1].(type) {
		case int:
			s.of.SetAttributes(attribute.Int(key, v))
		case int64:
			s.of.SetAttributes(attribute.Int64(key, v))
		case float64:
			s.of.SetAttributes(attribute.Float64(key, v))
		default:
			s.of.SetAttributes(attribute.String(key, fmt.Sprint(v)))
		}
	}
}

// End ends a span. Of an error only koda's code is told.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.of.SetStatus(codes.Error, string(koda.CodeOf(err)))
	}
	s.of.End()
}

// Times of the exporter.
const (
	flushFor = 2 * time.Second // at the end
	sendFor  = 5 * time.Second // one batch
)

// The variables that say where spans go; the library reads these and further ones, such as
// OTEL_EXPORTER_OTLP_HEADERS.
var endpoints = []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}

// Export sends spans from now on, if the environment names a collector that takes OTLP over
// HTTP; else it does nothing. The caller calls end once the work is done: end sends what is
// left, within a bound, and returns why spans were lost. USAGE: the environment names no
// address.
func Export(ctx context.Context, env func(string) (string, bool), version string) (end func() error, err error) {
	end = func() error { return nil }
	if off, _ := env("OTEL_SDK_DISABLED"); strings.EqualFold(off, "true") {
		return end, nil
	}
	if kind, ok := env("OTEL_TRACES_EXPORTER"); ok && kind == "none" {
		return end, nil
	}
	var name, to string
	for _, name = range endpoints {
		if to, _ = env(name); to != "" {
			break
		}
	}
	if to == "" {
		return end, nil
	}
	if at, err := url.Parse(to); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return end, &koda.Error{Code: koda.CodeUsage, Op: name + " is no address of a collector, so nothing is traced", Hint: "write it as http://localhost:4318"}
	}
	otel.SetLogger(logr.Discard()) // it writes to the standard error
	var lost failures
	otel.SetErrorHandler(&lost)
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithTimeout(sendFor), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
		Enabled: true, InitialInterval: 500 * time.Millisecond, MaxInterval: 2 * time.Second, MaxElapsedTime: sendFor,
	}))
	if err != nil {
		return end, &koda.Error{Code: koda.CodeNetwork, Op: "make ready for " + name, Err: err}
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "koda"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil { // what the environment says of the program is partly wrong
		lost.Handle(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter, sdk.WithExportTimeout(sendFor)), sdk.WithResource(about))
	t := provider.Tracer("koda")
	tracer.Store(&t)
	return func() error {
		tracer.Store(nil)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushFor)
		defer cancel()
		lost.Handle(provider.Shutdown(ctx))
		if err := lost.last(); err != nil {
			return &koda.Error{Code: koda.CodeNetwork, Op: "send traces to " + name, Err: err}
		}
		return nil
	}, nil
}

// failures keep the last error of the library.
type failures struct {
	mu  sync.Mutex
	err error
}

// Handle implements otel.ErrorHandler.
func (f *failures) Handle(err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || errors.Is(f.err, context.DeadlineExceeded) {
		f.err = err
	}
}

func (f *failures) last() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
