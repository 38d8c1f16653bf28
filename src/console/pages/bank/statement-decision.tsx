import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Decimal } from '../../parts/decimal';
import { ActionForm } from '../../parts/forms';
import { ReasonField } from '../../parts/reason-field';
import { Panel } from '../../parts/table';
import { Fact, Facts, Said, Sign } from '../../parts/values';
import { Working } from '../../parts/working';

export type Reread = Json<'verifyStatement'>;
type Effect = Json<'acceptStatement'> | Json<'excludeStatement'>;

const CURRENCY = 'TND';

/** Asks what to do with a statement that waits, and why. The effect is shown next. */
export function DecisionPanel({ visit }: { visit: Visit }): VNode {
  const { texts, form } = visit;
  const { t } = texts;
  const chosen = form.value('decision');
  return (
    <Panel title={t('bank:decision.title')}>
      <p>{t('bank:decision.why')}</p>
      <ActionForm visit={visit} action="preview" class="narrow">
        <fieldset>
          <legend>{t('bank:decision.what')}</legend>
          {(['accept', 'exclude'] as const).map((each) => (
            <label>
              <input type="radio" name="decision" value={each} checked={chosen === each} required />{' '}
              {t(`bank:decision.${each}`)}
            </label>
          ))}
        </fieldset>
        <ReasonField visit={visit} />
        <button class="main">{t('bank:decision.preview')}</button>
      </ActionForm>
    </Panel>
  );
}

/** What a decision would change, and the button that makes it. */
export function EffectPanel({ visit, effect }: { visit: Visit; effect: Effect }): VNode {
  const { texts, form, here } = visit;
  const { t } = texts;
  const isAccept = effect.outcome !== 'left_out';
  const posts = 'posts' in effect ? effect.posts : null;
  return (
    <Panel title={t('bank:effect.title')}>
      <p>{t(isAccept ? 'bank:effect.accept' : 'bank:effect.exclude')}</p>
      {posts === null ? null : (
        <Facts>
          <Fact name={t('bank:lines')}>{texts.count(posts.lines)}</Fact>
          {(['credits', 'debits', 'balanceAfter'] as const).map((name) => (
            <Fact name={t(`bank:amount.${name}`)}>
              <Decimal texts={texts} of={posts[name]} currency={CURRENCY} />
            </Fact>
          ))}
        </Facts>
      )}
      {'warnings' in effect
        ? effect.warnings.map((warning) => (
            <p>
              <Sign tone="warn">
                <Said>{warning}</Said>
              </Sign>
            </p>
          ))
        : null}
      <ActionForm visit={visit} action={isAccept ? 'accept' : 'exclude'}>
        <input type="hidden" name="reason" value={form.value('reason')} />
        <p>
          {t('common:field.reason')} <Said>{form.value('reason')}</Said>
        </p>
        <p class="actions">
          <button class="main">{t(isAccept ? 'bank:decision.accept' : 'bank:decision.exclude')}</button>
          <a href={here}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
}

/** Reads the stored file again, and says whether it agrees with what is stored. */
export function VerifyPanel({ visit, reread }: { visit: Visit; reread: Reread | undefined }): VNode {
  const { texts } = visit;
  const { t } = texts;
  return (
    <Panel title={t('bank:verify.title')}>
      {reread === undefined ? null : (
        <div role="status">
          {reread.differences.length === 0 ? <Sign tone="good">{t('bank:verify.same')}</Sign> : null}
          <ul>
            {reread.differences.map((difference) => (
              <li>
                <Sign tone="bad">
                  <Said>{difference}</Said>
                </Sign>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ActionForm visit={visit} action="verify">
        <Working texts={texts} />
        <p class="actions">
          <button>{t('bank:verify.submit')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
