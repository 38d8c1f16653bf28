/**
 * The labels of rows around the lines of an export that no profile knows. They are patterns of a profile: they ignore
 * case, and the value is group 1, or else the next filled cell. The number of spaces is bounded, because two unbounded
 * runs side by side would be slow on a cell of spaces.
 */
export const KNOWN_LABELS = {
  opening:
    "^(?:solde (?:initial|pr[ée]c[ée]dent|de d[ée]part|d[’' ]ouverture)|ancien solde|opening balance|anfangssaldo|alter (?:saldo|kontostand))(?!\\p{L})",
  closing:
    '^(?:solde (?:final|de cl[ôo]ture)|nouveau solde|closing balance|endsaldo|neuer (?:saldo|kontostand))(?!\\p{L})',
  totals: '^(?:totaux|total|totals|summe)(?!\\p{L})',
  currency:
    '^(?:devise|monnaie|currency|w[äa]e?hrung)(?:\\s(?:du compte|of account))?\\s{0,5}[:=]?\\s{0,5}([a-z]{3})?$',
  other: '^(?:nombre d|page \\d|[ée]dit[ée]|imprim[ée]|date d.[ée]dition)',
} as const;

/**
 * The texts of rows that have a date but state a balance. A single word must be the whole text, because a payment may
 * be a report or a balance of something.
 */
export const BALANCE_ROW_LABELS = [
  KNOWN_LABELS.opening,
  KNOWN_LABELS.closing,
  '^solde (?:au|ant[ée]rieur|report[ée]|[àa] nouveau|(?:cr[ée]di|d[ée]bi)teur au)(?!\\p{L})',
  '^report (?:au|du solde|de solde|solde|[àa] nouveau|pr[ée]c[ée]dent|ant[ée]rieur)(?!\\p{L})',
  '^(?:solde(?: (?:cr[ée]di|d[ée]bi)teur)?|s a l d o|saldo|balance|report|[àa] reporter|[üu]bertrag|saldovortrag)(?=[ :.]{0,5}$)',
  '^saldo (?:anterior|inicial|final|actual|del? d[ií]a|iniziale|finale|precedente)(?!\\p{L})',
  '^(?:balance )?(?:brought|carried) forward(?!\\p{L})',
  '^balance (?:forward|[bc]/[fd])(?!\\p{L})',
] as const;

/** The clearest label is first. */
export const ACCOUNT_LABELS = ['iban', 'rib', 'compte', 'account', 'konto(?:nummer)?'].map(
  (label) => `^${label}(?!\\p{L})[^\\d:]{0,40}?:?\\s{0,5}([a-z]{0,2}\\d[a-z\\d -]*)?$`,
);
