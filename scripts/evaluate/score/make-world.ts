import { SCENARIOS } from '../generate/scenarios';
import type { Scenario, World } from '../world';

export interface WorldName {
  readonly scenario: string;
  readonly seed: number;
  /** 1 is the scenario's own number of items. */
  readonly size: number;
}

export function scenarioNamed(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}

/** The same name gives the same world. Throws for a scenario that is not there. */
export function makeWorld({ scenario: name, seed, size }: WorldName): World {
  const scenario = scenarioNamed(name);
  if (scenario === undefined) throw new Error(`there is no scenario ${JSON.stringify(name)}`);
  const { items, days } = scenario.size;
  return scenario.generate(seed, { items: Math.max(1, Math.round(items * size)), days });
}
