// Loaded into the measured process: writes the peak of its memory in KiB, as the system counted it.
const { writeFileSync } = require('node:fs');

process.once('exit', () => {
  writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS));
});
