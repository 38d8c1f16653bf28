import type { ApiProblemCode } from './problem';
import { isKeyed, type Route } from './route';

const ANY: readonly ApiProblemCode[] = ['bad_input', 'unauthenticated', 'rate_limited', 'uri_too_long', 'unavailable'];
const BODY: readonly ApiProblemCode[] = ['payload_too_large', 'unsupported_media_type'];
const KEYED: readonly ApiProblemCode[] = [
  'idempotency_key_missing',
  'idempotency_key_in_progress',
  'idempotency_key_reused',
];

/** Returns every problem that an operation may answer: those of the conventions, then its own. */
export function declaredProblems(route: Route): readonly ApiProblemCode[] {
  const { method, scope, effect, version, isLong, problems } = route;
  const keyed = isKeyed(route);
  return [
    ...ANY,
    ...(scope === undefined ? [] : (['missing_scope'] as const)),
    ...(scope === 'agents:lookup' ? (['look_ups_limited'] as const) : []),
    ...(method === 'get' ? [] : BODY),
    ...(keyed ? KEYED : []),
    ...(keyed && effect !== 'repeatable' ? (['answer_lost'] as const) : []),
    ...(effect === 'secret' ? (['secret_shown_once'] as const) : []),
    ...(isLong ? (['busy', 'draining'] as const) : []),
    ...(version === 'none' ? [] : (['version_changed'] as const)),
    ...(version === 'required' ? (['version_missing'] as const) : []),
    ...problems,
  ];
}
