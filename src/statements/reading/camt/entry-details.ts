import type { DetailDraft, PartyDraft } from './camt-drafts';
import { amountOf, appended, currencyOf, referenceOf, requireFirst, setAmount, setSide } from './camt-fields';
import type { CamtMessage } from './camt-message';
import { group, leaf, type XmlElement, type XmlText } from './xml-element';

type Element = XmlElement<CamtMessage>;
type Role = (detail: DetailDraft) => PartyDraft;

const debtor: Role = (detail) => detail.debtor;
const creditor: Role = (detail) => detail.creditor;

/** A person or a bank. Newer versions name them one element deeper. */
function party(setName: (detail: DetailDraft, name: string) => void): Element {
  const name = leaf<CamtMessage>(({ detail }, { text }) => setName(detail, text));
  return group({ Nm: name, Pty: group({ Nm: name }), Agt: group({ FinInstnId: group({ Nm: name }) }) });
}

function named(role: Role): Element {
  return party((detail, name) => (role(detail).name = name));
}

function ultimate(role: Role): Element {
  return party((detail, name) => (role(detail).ultimateName = name));
}

function accountOf(role: Role): Element {
  const id = leaf<CamtMessage>(({ detail }, { text }) => (role(detail).account = text));
  return group({ Id: group({ IBAN: id, Othr: group({ Id: id }), BBAN: id, PrtryAcct: group({ Id: id }) }) });
}

function setTransactionAmount({ detail }: CamtMessage, found: XmlText): void {
  requireFirst(detail.transactionAmount, 'amount', found);
  detail.transactionAmount = amountOf(found);
  detail.transactionCurrency = currencyOf(found);
}

/** A transaction of an entry. */
export const entryDetails: Element = group<CamtMessage>(
  {
    Refs: group({
      EndToEndId: leaf(({ detail }, { text }) => (detail.endToEndId = referenceOf(text))),
      AcctSvcrRef: leaf(({ detail }, { text }) => (detail.bankReference = referenceOf(text))),
    }),
    Amt: leaf(({ detail }, found) => setAmount(detail, found)),
    CdtDbtInd: leaf(({ detail }, found) => setSide(detail, found)),
    AmtDtls: group({ TxAmt: group({ Amt: leaf(setTransactionAmount) }) }),
    RltdPties: group({
      Dbtr: named(debtor),
      DbtrAcct: accountOf(debtor),
      UltmtDbtr: ultimate(debtor),
      Cdtr: named(creditor),
      CdtrAcct: accountOf(creditor),
      UltmtCdtr: ultimate(creditor),
    }),
    RmtInf: group({
      Ustrd: leaf(({ detail }, found) => (detail.unstructured = appended(detail.unstructured, found))),
      Strd: group({
        CdtrRefInf: group({
          Ref: leaf(({ detail }, found) => (detail.structured = appended(detail.structured, found))),
          // The first version.
          CdtrRef: leaf(({ detail }, found) => (detail.structured = appended(detail.structured, found))),
        }),
      }),
    }),
    AddtlTxInf: leaf(({ detail }, found) => (detail.additional = appended(detail.additional, found))),
  },
  { open: (message) => message.openDetail(), close: (message) => message.closeDetail() },
);
