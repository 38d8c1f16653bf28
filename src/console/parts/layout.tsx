import type { ComponentChildren, VNode } from 'preact';
import type { UserSession } from '../../identity';
import { type Instant, MINUTE_MS } from '../../kernel';
import { LANGUAGES, type TextKey, type Texts } from '../../texts';
import { assetOf } from '../web/assets';
import { CONSOLE, to } from '../web/own-path';
import { KeyDialog } from './keyboard';

/** How long before its end a session is said to end. */
const ENDS_NOTICE_MS = 2 * MINUTE_MS;

/** A group of the menu, with the pages that the person may open. */
export interface MenuGroup {
  readonly label: TextKey;
  readonly pages: readonly { readonly path: string; readonly label: TextKey }[];
}

interface DocumentProps {
  readonly texts: Texts;
  readonly title: string;
  readonly children: ComponentChildren;
  /** Whether the page is that of a person who signed in. */
  readonly isSignedIn: boolean;
}

/** The whole HTML document around what a page shows. */
export function Document({ texts, title, children, isSignedIn }: DocumentProps): VNode {
  return (
    <html lang={texts.language} dir={texts.direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${texts.t('common:product')}`}</title>
        <link rel="icon" href={assetOf('icon.svg').path} />
        <link rel="stylesheet" href={assetOf('console.css').path} />
        <link rel="stylesheet" href={assetOf('plots.css').path} />
        <script src={assetOf('console.js').path} defer />
      </head>
      <body class={isSignedIn ? 'app' : 'gate'}>{children}</body>
    </html>
  );
}

interface LayoutProps {
  readonly texts: Texts;
  readonly session: UserSession;
  readonly title: string;
  readonly here: string;
  readonly menu: readonly MenuGroup[];
  readonly said: string | undefined;
  readonly isWide: boolean;
  readonly now: Instant;
  readonly children: ComponentChildren;
}

/** A page of a person who signed in: menu, title, content. */
export function Layout(props: LayoutProps): VNode {
  const { texts, session, title, here, menu, said, isWide, children } = props;
  const { t } = texts;
  return (
    <Document texts={texts} title={title} isSignedIn>
      <a class="skip" href="#content">
        {t('common:skipToContent')}
      </a>
      <header class="top">
        <a class="brand" href={CONSOLE}>
          <span class="mark" aria-hidden="true" />
          <span>{t('common:product')}</span>
        </a>
        <LanguageForm texts={texts} session={session} here={here} />
        <Person texts={texts} session={session} />
        <details class="menu-toggle" data-menu>
          <summary>{t('common:menu.open')}</summary>
          <div class="menu">
            <Person texts={texts} session={session} />
            <Menu texts={texts} menu={menu} here={here} />
          </div>
        </details>
      </header>
      <div class="side">
        <Menu texts={texts} menu={menu} here={here} />
      </div>
      <main id="content" class={isWide ? 'wide' : undefined}>
        <EndsSoon texts={texts} endsInMs={session.idleUntil - props.now} />
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {said === undefined ? null : (
          <p class="said" role="status">
            {said}
          </p>
        )}
        {children}
      </main>
      <KeyDialog texts={texts} />
    </Document>
  );
}

/** The person, and the way out. A narrow screen has them in its menu. */
function Person({ texts, session }: Pick<LayoutProps, 'texts' | 'session'>): VNode {
  return (
    <div class="person">
      <a href={to('/me')}>
        <bdi>{session.user.fullName}</bdi>
      </a>
      <form method="post" action={to('/sign-out')}>
        <input type="hidden" name="csrf" value={session.csrfToken} />
        <button class="quiet">{texts.t('common:action.signOut')}</button>
      </form>
    </div>
  );
}

/** Shown by the script shortly before the session ends, so that nothing typed is lost. */
function EndsSoon({ texts: { t, duration }, endsInMs }: { texts: Texts; endsInMs: number }): VNode {
  return (
    <p class="note" role="alert" data-ends={endsInMs} data-notice={ENDS_NOTICE_MS} hidden>
      {t('common:signIn.endsSoon', { duration: duration(ENDS_NOTICE_MS) })}{' '}
      <button type="button">{t('common:signIn.stay')}</button>
    </p>
  );
}

function Menu({ texts, menu, here }: Pick<LayoutProps, 'texts' | 'menu' | 'here'>): VNode {
  const path = here.split('?')[0] ?? '';
  const all = menu.flatMap(({ pages }) => pages.map((page) => page.path));
  // The page itself, or the closest page of the menu above it.
  const current = all
    .filter((each) => path === each || (each !== CONSOLE && path.startsWith(`${each}/`)))
    .sort((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={texts.t('common:menu.label')}>
      {menu.map(({ label, pages }) => (
        <section>
          <h2>{texts.t(label)}</h2>
          <ul>
            {pages.map((page) => (
              <li>
                <a href={page.path} aria-current={page.path === current ? 'page' : undefined}>
                  {texts.t(page.label)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

const LANGUAGE_SIGNS = { fr: 'FR', en: 'EN', ar: 'ع' } as const;

function LanguageForm({ texts, session, here }: Pick<LayoutProps, 'texts' | 'session' | 'here'>): VNode {
  return (
    <form method="post" action={to('/language')} class="languages" aria-label={texts.t('common:language.label')}>
      <input type="hidden" name="csrf" value={session.csrfToken} />
      <input type="hidden" name="next" value={here} />
      {LANGUAGES.map((each) => (
        <button
          class="quiet"
          name="language"
          value={each}
          lang={each}
          aria-pressed={each === texts.language ? 'true' : 'false'}
        >
          {LANGUAGE_SIGNS[each]}
          <span class="unseen">{texts.t(`common:language.${each}`)}</span>
        </button>
      ))}
    </form>
  );
}

/** The links to the same page in the other languages, before the sign-in. */
export function LanguageLinks({ texts, hrefOf }: { texts: Texts; hrefOf: (language: string) => string }): VNode {
  return (
    <nav class="languages" aria-label={texts.t('common:language.label')}>
      {LANGUAGES.map((each) => (
        <a href={hrefOf(each)} lang={each} aria-current={each === texts.language ? 'true' : undefined}>
          {LANGUAGE_SIGNS[each]}
          <span class="unseen">{texts.t(`common:language.${each}`)}</span>
        </a>
      ))}
    </nav>
  );
}
