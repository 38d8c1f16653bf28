import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Fact, Facts, Sign, type Tone } from '../../parts/values';
import { AllTokens, isTokenDue } from './tokens';

type Found = Json<'diagnose'>;

/** What the checks of the installation found. Its sentences are those of the command line, in English. */
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
      <Sentences tone="bad" sentences={found.problems} />
      <Sentences tone="warn" sentences={found.warnings} />
      {can('tokens:manage') && isTokenDue(found.tokenExpiresAt, now) ? <AllTokens texts={texts} /> : null}
      <Sentences tone="plain" sentences={found.notes} />
      <Facts>
        <Fact name={t('administration:doctor.database')}>{texts.word('database', found.database)}</Fact>
        {found.database === 'sqlite' ? null : (
          <Fact name={t('administration:doctor.tls')}>
            <bdi lang="en">{found.databaseTls}</bdi>
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
                <bdi lang="en">{state}</bdi>
              </Sign>
            )}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

function Sentences({ tone, sentences }: { tone: Tone; sentences: readonly string[] }): VNode | null {
  if (sentences.length === 0) return null;
  return (
    <ul class="stack">
      {sentences.map((sentence) => (
        <li>
          <Sign tone={tone}>
            <bdi lang="en">{sentence}</bdi>
          </Sign>
        </li>
      ))}
    </ul>
  );
}
