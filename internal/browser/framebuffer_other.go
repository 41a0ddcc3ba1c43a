//go:build !linux

package browser

import "errors"

func graphicsProcess(int) int { return 0 }

func readMemory(int, []byte, []uintptr) error { return errors.ErrUnsupported }

func findBitmaps(int, []byte, int) ([]bitmap, error) { return nil, errors.ErrUnsupported }
