package archtest_test

import "go/ast"

// checkMarks finds functions that commit a transaction or rename a file into place
// without a failpoint: no test could make koda crash there.
func checkMarks(all []*source) []finding {
	var out []finding
	for _, s := range all {
		if s.test || !matches(s.pkg, "internal/...") {
			continue
		}
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			var commits ast.Node
			marked := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, plain := sel.X.(*ast.Ident)
				switch {
				case plain && x.Name == "failpoint":
					marked = true
				case sel.Sel.Name == "Rename", plain && x.Name == "tx" && sel.Sel.Name == "Commit":
					commits = call
				}
				return true
			})
			if commits != nil && !marked {
				out = append(out, s.found(commits, "%s makes something true without a failpoint: no test can crash there", fn.Name.Name))
			}
		}
	}
	return out
}
