package stdlib

// Commons are the modules that others are compressed with, in their order.
var Commons = commons
