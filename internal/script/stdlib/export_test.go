package stdlib

// Common is the module that the others are compressed with.
const Common = common
