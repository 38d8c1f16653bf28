import type { Metric, Registry } from 'prom-client';
import type { BucketCounts } from './bucket-counts';

export type Labels = Readonly<Record<string, string>>;

/** One value, as a registry prints it. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** The name of a part of a histogram. */
  readonly metricName?: string;
}

/** A metric whose values are computed at each scrape. A gauge without samples is left out. */
export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  samples(): readonly Sample[];
}

/**
 * Registers families. A registry prints whatever returns its values, so the counts can stay plain numbers: prom-client's
 * own counters and histograms cost the observed call several times as much.
 */
export function registerFamilies(registry: Registry, families: readonly Family[]): void {
  for (const { type, name, help, samples } of families) {
    const get = (): Promise<unknown> => Promise.resolve({ type, name, help, values: samples(), aggregator: 'sum' });
    registry.registerMetric({ name, get } as unknown as Metric);
  }
}

/** Returns the samples of one histogram. */
export function histogramSamples(name: string, { bounds, counts, sum }: BucketCounts, labels: Labels = {}): Sample[] {
  let total = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
    total += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
