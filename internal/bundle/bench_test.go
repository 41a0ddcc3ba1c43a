package bundle_test

import (
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/fonts"
)

func benchmark(b *testing.B, files fstest.MapFS, cold bool) {
	shared := bundler(b.TempDir())
	build := func() {
		bundler := shared
		if cold {
			bundler = bundle.New(bundle.Config{CacheDir: b.TempDir(), Archive: packed})
		}
		if _, _, err := bundler.Build(b.Context(), files); err != nil {
			b.Fatal(err)
		}
	}
	build()
	b.ReportAllocs()
	for b.Loop() {
		build()
	}
}

// Cold: the first build of a process, which opens the runtime. Warm: any later build.
func BenchmarkBuild(b *testing.B) {
	flat, stage := starter(nil), starter(archive(b, "stage.txtar"))
	b.Run("2D/warm", func(b *testing.B) { benchmark(b, flat, false) })
	b.Run("2D/cold", func(b *testing.B) { benchmark(b, flat, true) })
	b.Run("3D/warm", func(b *testing.B) { benchmark(b, stage, false) })
	b.Run("3D/cold", func(b *testing.B) { benchmark(b, stage, true) })
}

// BenchmarkLetters is what a plan of Latin texts costs to know that it has all fonts.
func BenchmarkLetters(b *testing.B) {
	bundler := bundle.New(bundle.Config{CacheDir: testCache(), Archive: packed, Fonts: fonts.Open(b.TempDir())})
	for b.Loop() {
		if said, err := bundler.Letters(b.Context(), "The quick brown fox – „Grüße“"); err != nil || said != "" {
			b.Fatal(said, err)
		}
	}
}
