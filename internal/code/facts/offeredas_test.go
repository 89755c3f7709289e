package facts_test

import "testing"

// TestOfferedAs has components that a package offers under other names, through another package too.
func TestOfferedAs(t *testing.T) {
	tree := map[string]string{
		"packages/dialog/package.json":   `{"name": "@ui/dialog", "main": "./src/index.ts"}`,
		"packages/dialog/src/index.ts":   "export * from './dialog';\n",
		"packages/dialog/src/dialog.tsx": "import * as React from 'react';\nconst DialogContent = React.forwardRef((props, ref) => <div/>);\nfunction DialogRoot() { return <DialogContent/>; }\nfunction f(Body) { return Body; }\nexport { DialogContent as Body, DialogRoot as Root };\n",
		"packages/all/package.json":      `{"name": "ui", "main": "./src/index.ts"}`,
		"packages/all/src/index.ts":      "export * as Dialog from '@ui/dialog';\nexport { Root as DialogStart } from '@ui/dialog';\n",
		"app/a.tsx":                      "import * as Dialog from '@ui/dialog';\nexport const A = () => <Dialog.Root><Dialog.Body/></Dialog.Root>;\n",
		"app/b.tsx":                      "import { Dialog, DialogStart } from 'ui';\nexport const B = () => <Dialog.Body/>;\nDialogStart();\n",
		"app/c.tsx":                      "import * as Other from './d';\nexport const C = () => <Other.Body/>;\n",
		"app/d.tsx":                      "export const Body = 1;\n",
	}
	for symbol, want := range map[string]string{
		"DialogContent": "app/a.tsx:2:45 read exact\napp/b.tsx:2:32 read exact\npackages/dialog/src/dialog.tsx:3:33 read exact\npackages/dialog/src/dialog.tsx:5:10 read exact",
		"Dialog.Body":   "app/a.tsx:2:45 read exact\napp/b.tsx:2:32 read exact\npackages/dialog/src/dialog.tsx:3:33 read exact\npackages/dialog/src/dialog.tsx:5:10 read exact",
		"Dialog.Root":   "app/a.tsx:2:32 pass exact\napp/b.tsx:1:18 import exact\napp/b.tsx:3:1 call exact\npackages/all/src/index.ts:2:10 import exact\npackages/all/src/index.ts:2:18 import exact\npackages/dialog/src/dialog.tsx:5:33 pass exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}
