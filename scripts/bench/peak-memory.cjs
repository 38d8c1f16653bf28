// Loaded into the process that is measured: leaves how much memory it ever had, in KiB, as the system counted it.
const { writeFileSync } = require('node:fs');

process.once('exit', () => {
  writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS));
});
