import { SCENARIOS } from '../generate/scenarios';
import type { Scenario, World } from '../world';

export interface WorldName {
  readonly scenario: string;
  readonly seed: number;
  /** A factor on the scenario's number of items. */
  readonly size: number;
}

export function scenarioNamed(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}

/** Generates a world. The same name gives the same world. Throws for an unknown scenario. */
export function makeWorld({ scenario: name, seed, size }: WorldName): World {
  const scenario = scenarioNamed(name);
  if (scenario === undefined) throw new Error(`there is no scenario ${JSON.stringify(name)}`);
  const { items, days } = scenario.size;
  return scenario.generate(seed, { items: Math.ceil(items * size), days });
}
