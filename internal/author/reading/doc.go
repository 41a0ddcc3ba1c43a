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
// A prompt that comes out wrong is mended by a line among the examples, not by code.
//
// Changes are read the same way: templates/learn/changes has examples that say what the words of a change are for, of which
// `make learn-changes` makes changes.zst. The parts are joined to orders: this for that, away with it, a further one, to another
// place. Orders name things by their words, by their place or by what they are, and what they name is looked up in the video.
// Looks, such as colours and speeds, are read by the vocabulary; the parts say which thing they are for. What nothing in the video
// answers to is left over and told.
//
// A change of a sequence may be for one of its scenes: "scene 2: author Ann", "only 3 planets". Such a change is read as one of the
// recipe that shows the scene, and what comes of it is written back into the scene. The scene is the one that the change names, or the
// only one of which all of the change is understood.
//
// A prompt that no recipe serves gets no recipe: it never becomes a text of its own words in
// silence. A prompt that plainly is a text to show gets a recipe that shows texts.
// Words that nobody understood are returned, in order. Whatever was understood and cannot
// be done is told in a note.
//
// All functions are pure: the same words, manifests and text give the same result.
package reading
