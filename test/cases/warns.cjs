// Loaded before a hook: a program around it that warns, as old dependencies and shell profiles do.
process.emitWarning('an old habit', 'DeprecationWarning', 'DEP9999');
new Buffer(1);
