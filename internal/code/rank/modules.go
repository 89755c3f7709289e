package rank

// The signals of Lua modules, in the order of the profile's file. Package catalog
// measures them.
const (
	ModulesName = iota
	ModulesDescription
	ModulesKeywords
	ModulesFunctions
	ModulesAsked
	ModulesShadowed
	NumModules
)

// Modules is the profile of Lua modules.
var Modules = open("modules", NumModules)
