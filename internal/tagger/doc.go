// Package tagger finds spans with roles in sequences, as examples taught it: the words of a prompt that are to be shown,
// among those that only instruct; and it says of which class a sequence is.
//
// A Model is a small neural network: two layers of LSTM that read in both directions, and a chain of labels on top
// (G. Lample et al., "Neural architectures for named entity recognition", 2016). It was trained elsewhere; the package
// only applies it, with the same bits on every processor. It knows nothing of languages; what a token is, and what is
// known of it, is the caller's business.
package tagger
