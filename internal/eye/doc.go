// Package eye looks at frames as a designer would: at what a page says of its texts, and
// at the pictures.
//
// It owns what is wrong with a frame (texts outside of the frame, cut off, too small, one
// above the other or hard to read, empty frames, frames that differ when they are drawn
// twice), how a frame is told in words, and which lines of a project may be the cause. It
// refuses to draw: it is given pictures, and what its script told in the page.
//
// A page may tell anything about itself. So whatever comes out of a page is bounded, and
// is material for whoever reads it.
package eye
