import type { Simulation } from '../core/simulation';

const WINDOW_MS = 60_000;

/** Takes one of the creations that an application may request in any 60 s (interface section 8); false beyond that. */
export function takeCreation(simulation: Simulation): boolean {
  const { world, settings } = simulation;
  const now = simulation.now();
  const recent = world.subscriptions.creationsAt.filter((at) => at > now - WINDOW_MS);
  const granted = recent.length < settings.subscriptions.creationsPerMinute;
  world.subscriptions.creationsAt = granted ? [...recent, now] : recent;
  return granted;
}
