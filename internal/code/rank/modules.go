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

var modulesSignals = [NumModules]string{
	ModulesName: "in the name", ModulesDescription: "in the description", ModulesKeywords: "in the keywords", ModulesFunctions: "in the functions",
	ModulesAsked: "in the questions", ModulesShadowed: "in a module that it shadows",
}

// Modules is the profile of Lua modules.
var Modules = open("modules", modulesSignals[:])
