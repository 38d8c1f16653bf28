/**
 * What stands beside the lines of an export that no profile knows, by the label at its start. They are patterns of a
 * profile: without regard to case, and the value is group 1, else the next filled cell. Spaces are counted: two
 * unbounded runs of them side by side would take their time over a cell of nothing else.
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
 * What a bank writes in the text of a row that has a date, and states a balance all the same. A single word must be all
 * of the text: a payment may be a report or a balance of something.
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

/** The clearest first. */
export const ACCOUNT_LABELS = ['iban', 'rib', 'compte', 'account', 'konto(?:nummer)?'].map(
  (label) => `^${label}(?!\\p{L})[^\\d:]{0,40}?:?\\s{0,5}([a-z]{0,2}\\d[a-z\\d -]*)?$`,
);
