package templates

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// kitDir is the folder of the kit, in the recipes and in a project.
const kitDir = "src/stage"

// Kit is the stage of the recipes as a model's project takes it: files by path, with
// Kit.tsx, which draws parts without a recipe.
func Kit() map[string]string {
	files := map[string]string{}
	stage := sub(recipes, "recipes/stage")
	err := fs.WalkDir(stage, kitDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains([]string{kitDir + "/Stage.tsx", kitDir + "/Scene.tsx"}, path) { // of recipes alone
			return err
		}
		files[path] = text(stage, path)
		return nil
	})
	if err != nil {
		panic(err) // embedded
	}
	files[kitDir+"/Kit.tsx"] = text(Prompts(), "Kit.tsx")
	files["src/brand.json"] = text(stage, "src/brand.json")
	return files
}

func text(files fs.FS, path string) string {
	data, err := fs.ReadFile(files, path)
	if err != nil {
		panic(err) // embedded
	}
	return string(data)
}

var (
	kitPart  = regexp.MustCompile(`(?m)^import \{ (\w+) \} from '\./(\w+)'$`)
	kitKind  = regexp.MustCompile(`(?ms)^  (\w+): \{(.*?)(?:^  \}| \}),$`)
	kitProp  = regexp.MustCompile(`\bpart\.(\w+)(?: (?:===|!==|\?\?) '([\w-]+)')?`)
	kitEvery = []string{"id", "kind", "area", "wait", "read", "height", "says", "gap"}
)

// KitGuide lists the kinds of parts of the kit and the properties that their code reads, with
// the words that the code compares them with.
func KitGuide() string {
	stage := sub(recipes, "recipes/stage/"+kitDir)
	pure := map[string]string{}
	for _, file := range []string{"kinds.ts", "kinds.data.ts"} {
		for _, m := range kitKind.FindAllStringSubmatch(text(stage, file), -1) {
			pure[m[1]] = m[2]
		}
	}
	var b strings.Builder
	for _, m := range kitPart.FindAllStringSubmatch(text(stage, "parts/index.ts"), -1) {
		var names []string
		words := map[string][]string{}
		for _, p := range kitProp.FindAllStringSubmatch(pure[m[1]]+text(stage, "parts/"+m[2]+".tsx"), -1) {
			if name := p[1]; !slices.Contains(kitEvery, name) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
				if p[2] != "" && p[2] != "string" && !slices.Contains(words[name], p[2]) {
					words[name] = append(words[name], p[2])
				}
			}
		}
		for i, name := range names {
			if w := words[name]; w != nil {
				names[i] += " (" + strings.Join(w, ", ") + ", …)"
			}
		}
		fmt.Fprintf(&b, "- `%s`: %s\n", m[1], strings.Join(names, ", "))
	}
	return b.String()
}
