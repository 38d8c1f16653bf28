const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const FIRST_PRINTABLE = 0x20;
const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/**
 * Returns the text of an element, with its entities replaced once: `&amp;lt;` is `&lt;`. Other text stays unchanged,
 * because banks write a bare `&`.
 */
export function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (written, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : written;
  });
}

function isCharacter(code: number): boolean {
  return code >= FIRST_PRINTABLE && code <= LAST_CODE_POINT && !(code >= FIRST_SURROGATE && code <= LAST_SURROGATE);
}
