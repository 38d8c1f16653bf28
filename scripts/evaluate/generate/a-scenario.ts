import { createSeededRandom, type SeededRandom } from '../../../src/simulator';
import type { Scenario, WorldSize } from '../world';
import { generateWorld } from './generate-world';
import { CLEAN_PLAN, type FaultPlan, NO_FAULTS, type WorldPlan } from './plan';

/** The differences from the clean plan: fixed, or drawn from the seed. */
type Difference = Partial<WorldPlan> | ((random: SeededRandom) => Partial<WorldPlan>);

export function faults(some: Partial<FaultPlan>): FaultPlan {
  return { ...NO_FAULTS, ...some };
}

export function scenario(name: string, about: string, size: WorldSize, different: Difference): Scenario {
  return make({ name, about, size, isGuard: false }, different);
}

/** A scenario that no reader may be able to explain: only wrong answers and claimed errors are judged. */
export function guard(name: string, about: string, size: WorldSize, different: Difference): Scenario {
  return make({ name, about, size, isGuard: true }, different);
}

function make(head: Omit<Scenario, 'generate'>, different: Difference): Scenario {
  const { name, isGuard } = head;
  return {
    ...head,
    generate: (seed, size) => {
      const drawn =
        typeof different === 'function' ? different(createSeededRandom(`${name}:${seed}`).fork('plan')) : different;
      return generateWorld({ scenario: name, plan: { ...CLEAN_PLAN, ...drawn }, seed, isGuard, size });
    },
  };
}
