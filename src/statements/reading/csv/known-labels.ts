const SIDE = '(?:(?:cr[ée]di|d[ée]bi)teur )?';
const REPORT = 'report(?=[ :.…]{0,5}$)';
const DATED = `solde ${SIDE}(?:au|en date du)(?=[ :]{0,3}(?:\\d|$))`;

/**
 * The labels of rows around the lines of an export that no profile knows. They are patterns of a profile: they ignore
 * case, and the value is group 1, or else the next filled cell. The number of spaces is bounded, because two unbounded
 * runs side by side would be slow on a cell of spaces.
 */
export const KNOWN_LABELS = {
  opening:
    `^(?:solde ${SIDE}(?:initial|pr[ée]c[ée]dent|ant[ée]rieur|report[ée]|[àa] nouveau|ouverture|de d[ée]part|en d[ée]but|d[’' ]ouverture)|` +
    'ancien solde|report [àa] nouveau|opening balance|anfangssaldo|alter (?:saldo|kontostand)|' +
    'الرصيد (?:الافتتاحي|السابق|القديم|الأولي))(?!\\p{L})',
  closing:
    `^(?:solde ${SIDE}(?:final|cl[ôo]ture|de cl[ôo]ture|en fin|de fin)|nouveau solde|solde nouveau|closing balance|endsaldo|` +
    'neuer (?:saldo|kontostand)|الرصيد (?:الختامي|النهائي|الجديد))(?!\\p{L})',
  totals: '^(?:totaux|total|totals|summe|المجموع|الإجمالي)(?!\\p{L})(?! (?:de )?(?:la )?page)',
  currency:
    '^(?:devise|monnaie|currency|w[äa]e?hrung|العملة|عملة)(?:\\s(?:du compte|of account|الحساب))?\\s{0,5}[:=]?\\s{0,5}' +
    '([a-z]{2,3}|€|d\\.t\\.?|dinars?(?: tunisiens?)?|[a-z]{3} ?[(-] ?dinars? tunisiens? ?\\)?|دينار(?: تونسي)?)?$',
  /** A balance brought forward: the opening one, or that of the page before. */
  report: `^${REPORT}`,
  /** A balance of a day, before or after the lines. */
  dated: `^${DATED}`,
  /** Rows of a page, and remarks. A label that a payment could have too ends with a colon or a number. */
  other:
    '^(?:nombre d|page[ :]{0,3}\\d|[ée]dit[ée]|imprim[ée]|date d.(?:[ée]dition|impression)|sauf (?:erreur|omission)|s\\.?e\\.?o\\.?o|' +
    '(?:sous.totau?x?|totau?x?) (?:de )?(?:la )?page|[àa] reporter|' +
    `${REPORT}|report (?:de la )?page|` +
    `${DATED}|relev[ée] (?:de|du|d.)|extrait (?:de|du)|fin (?:de|du) (?:relev|document|page)|` +
    'g[ée]n[ée]r[ée] (?:le|par)|arr[êe]t[ée] (?:le|au|le pr[ée]sent)|' +
    '(?:agence|client|titulaire|p[ée]riode|adresse|t[ée]l|du|date)[^:]{0,30}:|[-=_*]{3,}$)',
} as const;

/**
 * The texts of rows that have a date but state a balance. A single word must be the whole text, because a payment may
 * be a report or a balance of something.
 */
export const BALANCE_ROW_LABELS = [
  KNOWN_LABELS.opening,
  KNOWN_LABELS.closing,
  '^solde (?:au|(?:cr[ée]di|d[ée]bi)teur au)(?!\\p{L})',
  '^report (?:au|du solde|de solde|solde|pr[ée]c[ée]dent|ant[ée]rieur)(?!\\p{L})',
  '^(?:solde(?: (?:cr[ée]di|d[ée]bi)teur)?|s a l d o|saldo|balance|report|[àa] reporter|[üu]bertrag|saldovortrag)(?=[ :.]{0,5}$)',
  '^saldo (?:anterior|inicial|final|actual|del? d[ií]a|iniziale|finale|precedente)(?!\\p{L})',
  '^(?:balance )?(?:brought|carried) forward(?!\\p{L})',
  '^balance (?:forward|[bc]/[fd])(?!\\p{L})',
] as const;

/** The clearest label is first. */
export const ACCOUNT_LABELS = [
  'iban',
  'rib',
  'compte',
  'account',
  'konto(?:nummer)?',
  'n[°ºo. ]{1,3}(?:de |du )?compte',
  'num[ée]ro (?:de |du )?compte',
  '(?:رقم )?(?:الحساب|حساب)',
  '(?:الهوية|المعرف) (?:البنكية|البنكي)',
].map((label) => `^${label}(?!\\p{L})[^\\d:]{0,40}?:?\\s{0,5}([a-z]{0,2}\\d[a-z\\d -]*)?$`);
