import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Fact, Facts, Sentence, Sign, type Tone } from '../../parts/values';
import { AllTokens, isTokenDue } from './tokens';

type Found = Json<'diagnose'>;

/** What the checks of the installation found. */
export function Doctor({ visit: { texts, now, can }, found }: { visit: Visit; found: Found }): VNode {
  const { t } = texts;
  const migrations = found.pendingMigrations;
  return (
    <Panel title={t('administration:doctor.title')}>
      <p>
        <Sign tone={found.ok ? 'good' : 'bad'}>
          {t(found.ok ? 'administration:doctor.ok' : 'administration:doctor.notOk')}
        </Sign>
      </p>
      <Sentences texts={texts} tone="bad" sentences={found.problems} />
      <Sentences texts={texts} tone="warn" sentences={found.warnings} />
      {can('tokens:manage') && isTokenDue(found.tokenExpiresAt, now) ? <AllTokens texts={texts} /> : null}
      <Sentences texts={texts} tone="plain" sentences={found.notes} />
      <Facts>
        <Fact name={t('administration:doctor.database')}>{texts.word('database', found.database)}</Fact>
        {found.database === 'sqlite' ? null : (
          <Fact name={t('administration:doctor.tls')}>
            <Sentence texts={texts}>{found.databaseTls}</Sentence>
          </Fact>
        )}
        <Fact name={t('administration:doctor.migrations')}>
          {migrations === null ? (
            t('common:state.unknown')
          ) : migrations.length === 0 ? (
            <Sign tone="good">{t('common:state.none')}</Sign>
          ) : (
            <Sign tone="bad">{texts.count(migrations.length)}</Sign>
          )}
        </Fact>
        <Fact name={t('administration:doctor.timeZone')}>
          <bdi>{found.businessTimeZone}</bdi>
        </Fact>
        <Fact name={t('administration:doctor.connections')}>{texts.count(found.connectionsMax)}</Fact>
        {Object.entries(found.features).map(([name, state]) => (
          <Fact name={texts.find(`administration:feature.${name}`) ?? name}>
            {state === 'on' ? (
              <Sign tone="good">{t('administration:doctor.on')}</Sign>
            ) : (
              <Sign tone="plain">
                <Sentence texts={texts}>{state}</Sentence>
              </Sign>
            )}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

interface SentencesProps {
  readonly texts: Texts;
  readonly tone: Tone;
  readonly sentences: readonly string[];
}

function Sentences({ texts, tone, sentences }: SentencesProps): VNode | null {
  if (sentences.length === 0) return null;
  return (
    <ul class="stack">
      {sentences.map((sentence) => (
        <li>
          <Sign tone={tone}>
            <Sentence texts={texts}>{sentence}</Sentence>
          </Sign>
        </li>
      ))}
    </ul>
  );
}
