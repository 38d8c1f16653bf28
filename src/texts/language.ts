/** The languages of texts for people. French is the source. */
export const LANGUAGES = ['fr', 'en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns whether a text names a language that has texts. */
export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value);
}

const RANGE = /^\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/;

/**
 * Returns the language that an `Accept-Language` header prefers among those that have texts.
 *
 * @param otherwise the language for a header that names none of them: French for people, English for programs.
 */
export function preferredLanguage(acceptLanguage: string | undefined, otherwise: Language = 'fr'): Language {
  let preferred = otherwise;
  let highest = 0;
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [, name = '', quality = '1'] = RANGE.exec(range) ?? [];
    const language = name.toLowerCase();
    if (!isLanguage(language) || Number(quality) <= highest) continue;
    preferred = language;
    highest = Number(quality);
  }
  return preferred;
}
