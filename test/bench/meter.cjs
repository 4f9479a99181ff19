// Loaded into a measured process: its peak memory, in KiB, into the file that METER names.
process.on('exit', () => require('node:fs').writeFileSync(process.env.METER, String(process.resourceUsage().maxRSS)));
