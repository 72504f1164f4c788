// No code: Apple's tools look for the privacy manifest in this target's bundle. The library depends on the target on
// Apple's platforms alone, since a resource makes a program on Linux link all of Foundation.
