// Package theatre writes and reads the state of a Theatre.js project: keyframes by
// sheet, object and property, in the form that @theatre/core 0.7 loads.
//
// Koda computes a [Motion] and turns it into a [State]. People edit the state, in
// Theatre's studio or by hand. [State.Merge] brings such a state to a new motion and
// keeps every track that the person changed.
//
// Numbers are rounded to 6 places, so the same motion has the same bytes on all
// processors, also on those that fuse multiply and add.
package theatre
