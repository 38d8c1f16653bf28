import iconv from 'iconv-lite';

/** A bank export as the shipped profile reads it, with that many credits that are no payouts. */
export function bankStatement(lines: number): Buffer {
  let balance = 1_000_000;
  let credits = 0;
  const rows = Array.from({ length: lines }, (_, index) => {
    const amount = 1_000 + index;
    balance += amount;
    credits += amount;
    return `03/03/2026;04/03/2026;VIREMENT CLIENT;R${index + 1};;${decimal(amount)};${decimal(balance)}`;
  });
  const text = [
    'RIB :;00 000 0000000000000 00;;;;;',
    'Devise :;TND;;;;;',
    'Solde initial :;;;;;;1000,000',
    ';;;;;;',
    'Date opération;Date valeur;Libellé;Référence;Débit;Crédit;Solde',
    ...rows,
    ';;;;;;',
    `Totaux :;;;;0,000;${decimal(credits)};`,
    `Solde final au 31/03/2026 :;;;;;;${decimal(balance)}`,
  ];
  return iconv.encode(text.join('\r\n'), 'windows-1252');
}

function decimal(millimes: number): string {
  const digits = String(millimes).padStart(4, '0');
  return `${digits.slice(0, -3)},${digits.slice(-3)}`;
}
