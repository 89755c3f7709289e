package markup

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// zeroSize are the declarations of a style by which an element takes no room, or is out of sight.
var zeroSize = lazy.Regexp(`(?:^|;)(?:visibility:(?:hidden|collapse)|(?:font-size|opacity|max-height|line-height):0(?:\.0+)?(?:px|em|rem|pt|%)?(?:;|!|$)|` +
	`(?:left|top|right|text-indent):-\d{3,}|clip:rect\(0|color:transparent|transform:scale\(0(?:\.0+)?\))`)

// maxStyle is how many bytes of a style are looked at.
const maxStyle = 1000

// IsInvisible reports whether an element of HTML with a style, a class and a role shows nothing to a reader: its text is there for
// programs alone, and may be an instruction to them. isHidden says that it has the attribute "hidden". The panels of tabs are
// hidden until somebody chooses them.
func IsInvisible(style, class, role string, isHidden bool) bool {
	style = strings.ToLower(style[:min(len(style), maxStyle)])
	style = strings.NewReplacer(" ", "", "\t", "", "\n", "", `"`, "", "'", "", "{", "", "}", "", ",", ";", "fontsize", "font-size").Replace(style)
	if zeroSize.MatchString(style) {
		return true
	}
	isPanel := role == "tabpanel" || strings.Contains(strings.ToLower(class), "tab")
	return !isPanel && (isHidden || strings.Contains(style, "display:none"))
}
