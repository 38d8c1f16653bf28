import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an independent reader found in a sample file. */
export interface SampleStatement {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly entries: number;
  readonly credits: string;
  readonly debits: string;
}

export interface Sample {
  readonly path: string;
  readonly format: 'csv' | 'mt940' | 'camt' | 'ofx';
  readonly verdict: string;
  readonly statements: readonly SampleStatement[];
  readonly bytes: () => Buffer;
}

const FOLDER = join(__dirname, '..', '..', '..', 'shared', 'samples', 'statements');
const EXPECTED = join(FOLDER, 'expected.json');

/** The sample files beside this repository; none where they are not there, and then the run says so. */
export function statementSamples(): Sample[] {
  if (!existsSync(EXPECTED)) {
    process.stdout.write('The sample statements are skipped: ../shared/samples is not beside this repository\n');
    return [];
  }
  const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Omit<Sample, 'path' | 'bytes'>>;
  return Object.entries(expected).map(([path, sample]) => ({
    ...sample,
    path,
    bytes: () => readFileSync(join(FOLDER, path)),
  }));
}
