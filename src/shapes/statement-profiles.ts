import { z } from 'zod';
import type { AnyProfile } from '../statements';

/** A profile as the profiles file has it. Its fields depend on its format. */
export const profileValue = z
  .looseObject({
    name: z.string(),
    format: z.string(),
    description: z.string(),
    payoutPattern: z.string().nullable().meta({ description: 'The source of a regular expression.' }),
  })
  .meta({ id: 'StatementProfile' });

/** Returns a profile as JSON. A pattern is shown as its source. */
export function profileJson(profile: AnyProfile): z.input<typeof profileValue> {
  const { payoutPattern, ...rest } = profile;
  const shown = JSON.parse(
    JSON.stringify(rest, (_key, value: unknown) => (value instanceof RegExp ? value.source : value)),
  ) as Pick<AnyProfile, 'name' | 'format' | 'description'>;
  return { ...shown, payoutPattern: payoutPattern?.source ?? null };
}
