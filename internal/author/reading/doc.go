// Package reading turns the words of a person into a recipe and its parameters.
//
// It goes between wish, which knows sentences but no recipe, and the manifests of recipes, which
// know parameters but no sentence. Read chooses the recipe that a prompt asks for and says
// what the prompt asks of its parameters. Change reads what is to be different about parameters that
// exist. Apply does both.
//
// Which words of a prompt are shown, and which recipe fits, was learned from examples: the lines of
// templates/learn/examples, of which `make learn` makes learned.zst beside the word files. Phrases and ranks come from
// there; what the other words ask for (colours, lengths, sizes, effects) is read by the vocabulary.
// A prompt that comes out wrong is mended by a line among the examples, not by code. Edits are
// read by the vocabulary, which finds texts in quotation marks and behind words such as "to". Before that they lose the
// words that ask for nothing, such as reasons and praise: templates/learn/changes has examples of these, of which `make
// learn-remarks` makes remarks.zst.
//
// A prompt that no recipe serves gets no recipe: it never becomes a text of its own words in
// silence. A prompt that plainly is a text to show gets a recipe that shows texts.
// Words that nobody understood are returned, in order. Whatever was understood and cannot
// be done is told in a note.
//
// All functions are pure: the same words, manifests and text give the same result.
package reading
