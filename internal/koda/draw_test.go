package koda_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// Every field of a drawer's jobs and results survives JSON.
func TestDrawerJobsAreValues(t *testing.T) {
	t.Parallel()
	for _, job := range []any{
		&koda.FactsJob{}, &koda.Facts{}, &koda.InspectJob{}, &koda.Inspected{}, &koda.SegmentJob{}, &koda.SegmentProgress{}, &koda.Drawn{},
		&koda.FinishJob{}, &koda.Finished{}, &koda.LookJob{}, &koda.Looked{},
	} {
		for _, full := range []bool{false, true} {
			if full {
				fill(t, reflect.ValueOf(job).Elem())
			}
			text, err := json.Marshal(job)
			if err != nil {
				t.Fatal(err)
			}
			again := reflect.New(reflect.TypeOf(job).Elem()).Interface()
			if err := json.Unmarshal(text, again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(job, again); diff != "" {
				t.Errorf("%T (-sent +received):\n%s", job, diff)
			}
		}
	}
}

// fill gives every field a value that is not zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case koda.FPS:
		v.Set(reflect.ValueOf(koda.FPS{Num: 30000, Den: 1001}))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"a":1}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("word")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Uint8:
		v.SetUint(9)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatal(fmt.Errorf("a job holds %v", v.Type()))
	}
}

// CPUs and memory bound the number of workers. There is always at least one worker.
func TestCapacityWorkers(t *testing.T) {
	t.Parallel()
	c := koda.Capacity{CPUs: 4.5, Memory: 1000, Worker: 200, WebGL: 100, Raw: 50}
	for _, tt := range []struct {
		c          koda.Capacity
		webGL, raw bool
		want       int
	}{
		{c, false, false, 4}, {c, true, false, 3}, {c, true, true, 2}, {koda.Capacity{CPUs: 0.5}, false, false, 1}, {koda.Capacity{CPUs: 3}, true, true, 3},
		{koda.Capacity{CPUs: 3, Memory: 1, Worker: 200}, false, false, 1}, {koda.Capacity{CPUs: 3, Memory: 5}, false, false, 3},
	} {
		if got := tt.c.Workers(tt.webGL, tt.raw); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}
