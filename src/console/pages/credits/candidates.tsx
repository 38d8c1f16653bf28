import type { VNode } from 'preact';
import type { TextKey, Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { ActionForm } from '../../parts/forms';
import { Panel } from '../../parts/table';
import { Money, Sign } from '../../parts/values';
import { Working } from '../../parts/working';
import type { Candidate, Credit } from './credit-choice';

const FIRST_LETTER = 65;
/** Letters tell the explanations apart. */
const CANDIDATES_SHOWN_MAX = 26;

const AGAINST = {
  another_explanation: 'credits:against.another_explanation',
  none_of_these: 'credits:against.none_of_these',
  other_side_of_cut: 'credits:against.other_side_of_cut',
  not_proven: 'credits:against.not_proven',
  other_hypothesis: 'credits:against.other_hypothesis',
  unclear_return: 'credits:against.unclear_return',
  observation_against: 'credits:against.observation_against',
  unknown_amount: 'credits:against.unknown_amount',
  fee_unknown: 'credits:against.fee_unknown',
  chosen_by_sum: 'credits:against.chosen_by_sum',
  part_of_payout: 'credits:against.part_of_payout',
  same_items: 'credits:against.same_items',
  search_cut_short: 'credits:against.search_cut_short',
  unmatched_before: 'credits:against.unmatched_before',
  partly_written_off: 'credits:against.partly_written_off',
} as const satisfies Readonly<Record<string, TextKey>>;

/** The explanations of a credit, the likeliest first, and what speaks against each. */
export function Candidates({ visit, credit }: { visit: Visit; credit: Credit }): VNode | null {
  const { t } = visit.texts;
  const { answer } = credit;
  if (answer === null) return <Unexplained visit={visit} />;
  return (
    <Panel title={t('credits:candidates.title')}>
      <p>
        <Sign tone={answer.outcome === 'resolved' ? 'good' : 'warn'}>
          {visit.texts.word('creditAnswer', answer.outcome)}
        </Sign>{' '}
        <small>{visit.texts.word('creditReason', answer.reason)}</small>
      </p>
      <CandidateList visit={visit} of={answer.candidates} />
      <Nearest texts={visit.texts} nearest={answer.nearest} />
    </Panel>
  );
}

/** Offers to compute the explanations that no run stored. */
function Unexplained({ visit }: { visit: Visit }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('credits:candidates.title')}>
      <p>{t('credits:candidates.notStored')}</p>
      <ActionForm visit={visit} action="explain">
        <Working texts={visit.texts} />
        <p class="actions">
          <button>{t('credits:candidates.compute')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}

/** The explanations as they are computed now. */
export function ComputedCandidates({ visit, of }: { visit: Visit; of: readonly Candidate[] }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('credits:candidates.title')}>
      <CandidateList visit={visit} of={of} />
    </Panel>
  );
}

function CandidateList({ visit, of }: { visit: Visit; of: readonly Candidate[] }): VNode {
  if (of.length === 0) return <p class="empty">{visit.texts.t('credits:candidates.none')}</p>;
  return (
    <ol class="candidates">
      {of.slice(0, CANDIDATES_SHOWN_MAX).map((candidate, index) => (
        <CandidateRow visit={visit} candidate={candidate} letter={String.fromCharCode(FIRST_LETTER + index)} />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly visit: Visit;
  readonly candidate: Candidate;
  readonly letter: string;
}

function CandidateRow({ visit, candidate, letter }: RowProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { candidateId, kind, items, differenceMillimes, probability, against } = candidate;
  return (
    <li>
      <p class="line">
        <strong>{letter}</strong>
        {probability === null ? null : <strong>{texts.probability(probability)}</strong>}
        <span>{t('common:count.items', { count: items })}</span>
        <span>
          {t('credits:rest')} <Money texts={texts} of={differenceMillimes} />
        </span>
      </p>
      <p>
        <small>
          {texts.word('candidateKind', kind)}
          {candidate.cut === null ? null : ' · '}
          <CutText texts={texts} cut={candidate.cut} />
        </small>
      </p>
      <Differences texts={texts} candidate={candidate} />
      <ul class="against">
        {against.map((objection) => (
          <li>
            <small>{againstText(texts, objection)}</small>
          </li>
        ))}
      </ul>
      <ActionForm visit={visit} action="choose" label={t('credits:candidates.take', { letter })}>
        <input type="hidden" name="take" value={candidateId} />
        <button>{t('credits:candidates.take', { letter })}</button>
      </ActionForm>
    </li>
  );
}

/** The two instants between which the items of a payout became available. */
export function CutText({ texts, cut }: { texts: Texts; cut: Candidate['cut'] }): VNode | null {
  if (cut === null) return null;
  const after = texts.instant(cut.after);
  const text =
    cut.until === null
      ? texts.t('credits:cut.after', { after })
      : texts.t('credits:cut.between', { after, until: texts.instant(cut.until) });
  return <span>{text}</span>;
}

/** Tells a rival from the first explanation. */
function Differences({ texts, candidate: { adds, lacks } }: { texts: Texts; candidate: Candidate }): VNode | null {
  if (adds.items === 0 && lacks.items === 0) return null;
  const ids = (of: Candidate['adds']): string => of.itemIds.map(shortId).join(', ');
  return (
    <p>
      {lacks.items === 0 ? null : (
        <small>{texts.t('credits:candidates.lacks', { count: lacks.items, ids: ids(lacks) })} </small>
      )}
      {adds.items === 0 ? null : (
        <small>{texts.t('credits:candidates.adds', { count: adds.items, ids: ids(adds) })}</small>
      )}
    </p>
  );
}

const SHORT = 12;
function shortId(itemId: string): string {
  const id = itemId.slice(itemId.indexOf(':') + 1);
  return id.length > SHORT ? `${id.slice(0, SHORT)}…` : id;
}

function againstText(texts: Texts, objection: Candidate['against'][number]): string {
  const { code, probability, items = 0, itemId = '', amountMillimes = 0, text } = objection;
  const key = Object.hasOwn(AGAINST, code) ? AGAINST[code as keyof typeof AGAINST] : undefined;
  if (key === undefined) return text;
  return texts.t(key, {
    ...{ probability: probability === undefined ? '' : texts.probability(probability), items, count: items },
    ...{ item: shortId(itemId), amount: texts.money(amountMillimes) },
  });
}

function Nearest({
  texts,
  nearest,
}: {
  texts: Texts;
  nearest: NonNullable<Credit['answer']>['nearest'];
}): VNode | null {
  if (nearest === null) return null;
  return (
    <p class="aside">
      {texts.t('credits:candidates.nearest', { amount: texts.money(nearest.differenceMillimes) })}
      {nearest.cut === null ? null : ' · '}
      <CutText texts={texts} cut={nearest.cut} />
    </p>
  );
}
