// Package tagger finds spans with roles in sequences, as examples taught it: the words of a prompt that
// are to be shown, among those that only instruct.
//
// A Model is linear: each feature of a token has a weight for each label, and each pair of labels one for following
// each other; the labels of a sequence are those with the highest sum (Viterbi). It knows
// neither words nor languages; what the features are is the caller's business.
package tagger
