// Loaded into a hook process before the program: what `Date.now()` says there.
const now = Number(process.env.FAKE_NOW);
if (Number.isFinite(now)) Date.now = () => now;
