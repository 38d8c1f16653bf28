import type { HistoryPlan, Step } from './history';

/** Returns the error of a plan; undefined if it passes. */
export type Failing = (plan: HistoryPlan) => Promise<unknown>;

/** A plan that fails, and how. */
export interface Failure {
  readonly plan: HistoryPlan;
  readonly error: unknown;
}

/**
 * Searches for the shortest plan that fails too: leaves out chunks of its steps, then single ones, then faults, waits
 * and errors of clocks. It runs at most `runsMax` plans; what is left then is short, if not the shortest.
 */
export async function shrink(found: Failure, fails: Failing, runsMax: number): Promise<Failure> {
  let best = found;
  let runs = 0;
  const isKept = async (plan: HistoryPlan): Promise<boolean> => {
    if (runs >= runsMax) return false;
    runs += 1;
    const error = await fails(plan);
    if (error !== undefined) best = { plan, error };
    return error !== undefined;
  };
  for (let size = Math.ceil(found.plan.steps.length / 2); size >= 1;) {
    const before = best.plan.steps.length;
    for (let at = before - size; at >= 1 - size; at -= size) {
      const { steps } = best.plan;
      const rest = [...steps.slice(0, Math.max(at, 0)), ...steps.slice(at + size)];
      if (rest.length < steps.length) await isKept({ ...best.plan, steps: rest });
    }
    // The last size repeats until nothing more can be left out.
    if (size > 1 || best.plan.steps.length === before) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  for (let at = 0; at < best.plan.steps.length; at += 1) {
    for (const simplify of SIMPLER) {
      for (let part = 0; ; part += 1) {
        const step = best.plan.steps[at];
        const simpler = step && simplify(step, part);
        if (simpler === undefined) break;
        if (await isKept({ ...best.plan, steps: best.plan.steps.with(at, simpler) })) part -= 1;
      }
    }
  }
  return best;
}

/** Each takes the `part`-th thing from a step; undefined when it has no such thing. */
const SIMPLER: readonly ((step: Step, part: number) => Step | undefined)[] = [
  (step, part) => (part < step.database.length ? { ...step, database: step.database.toSpliced(part, 1) } : undefined),
  (step, part) => (part < step.network.length ? { ...step, network: step.network.toSpliced(part, 1) } : undefined),
  (step, part) => (part === 0 && step.skewMs !== undefined ? { ...step, skewMs: undefined } : undefined),
  (step, part) => (part === 0 && step.wait !== 0 ? { ...step, wait: 0 } : undefined),
];
