// Comfort for the console. Every page works without it.

/** A second press of a button does nothing: the first one is under way. */
document.addEventListener('submit', ({ target, submitter }) => {
  if (!target.matches('[data-once]')) return;
  // The value of the button is a part of the form, so it is disabled after the form is read.
  setTimeout(() => {
    target.setAttribute('aria-busy', 'true');
    for (const button of target.querySelectorAll('button')) button.disabled = true;
  }, 0);
  // The browser shows a page of its memory when one goes back.
  addEventListener('pageshow', () => {
    target.removeAttribute('aria-busy');
    for (const button of target.querySelectorAll('button')) button.disabled = false;
    submitter?.focus();
  });
});

/** What was refused is read first. */
document.querySelector('[data-focus]')?.focus();

/** The sum of a choice follows its boxes. What was checked before is no longer the choice, so its decision is hidden. */
const choice = document.querySelector('form[data-credit]');
choice?.addEventListener('change', () => {
  document.querySelector('.decision')?.setAttribute('hidden', '');
  const live = choice.querySelector('[data-live]');
  if (live === null) return;
  const { credit, sum, money } = choice.dataset;
  const boxes = [...choice.querySelectorAll('input[data-net]:checked')];
  const net = boxes.reduce((total, box) => total + BigInt(box.dataset.net), 0n);
  const text = (millimes) => {
    const [, sign, dinars, rest] = /^(-?)(\d+)(\d{3})$/.exec(
      `${millimes < 0n ? '-' : ''}${String(millimes < 0n ? -millimes : millimes).padStart(4, '0')}`,
    );
    return money.replace('0,000', `${sign}${dinars.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0')},${rest}`);
  };
  live.hidden = false;
  live.textContent = sum.replace('{net}', text(net)).replace('{rest}', text(BigInt(credit) - net));
});

/** The menu closes with Escape. */
document.addEventListener('keydown', (event) => {
  const menu = document.querySelector('[data-menu][open]');
  if (event.key !== 'Escape' || menu === null) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

/** Says that the session ends soon. To stay asks for the page again, which is a use of the session. */
const ending = document.querySelector('[data-ends]');
if (ending !== null) {
  const { ends, notice } = ending.dataset;
  const wait = (ms) => setTimeout(() => ending.removeAttribute('hidden'), Math.max(0, ms));
  wait(ends - notice);
  ending.querySelector('button').addEventListener('click', async () => {
    const answer = await fetch(location.href, { method: 'HEAD', redirect: 'error' }).catch(() => undefined);
    if (answer?.ok !== true) return;
    ending.hidden = true;
    wait(ends - notice);
  });
}

/** Keys, outside fields only. A person can switch them off in this browser. */
const KEYS = 'millime-keys';
const PLACES = { m: '', a: '/agents/search', c: '/credits', b: '/breaks', p: '/proposals', d: '/days' };
/** The search of a page, or the first field of its filter in which one types. */
const SEARCH_FIELD = 'input[type=search], [role=search] input:is([type=text], [type=number])';
const switchOfKeys = document.querySelector('[data-keys]');
if (switchOfKeys !== null) {
  const box = switchOfKeys.querySelector('input');
  box.checked = localStorage.getItem(KEYS) !== 'off';
  box.addEventListener('change', () => localStorage.setItem(KEYS, box.checked ? 'on' : 'off'));
  switchOfKeys.hidden = false;
}
let before = '';
const rowsOf = () => [...document.querySelectorAll('tbody tr, .cards li, .steps-list > li')];
let row = -1;
const moveTo = (index) => {
  const rows = rowsOf();
  if (rows.length === 0) return;
  row = Math.min(Math.max(index, 0), rows.length - 1);
  // A link opens the row; the key Enter in a box would send its form.
  const link = rows[row].querySelector('a') ?? rows[row].querySelector('input, button');
  if (link === null) rows[row].scrollIntoView({ block: 'nearest' });
  else link.focus();
};
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || localStorage.getItem(KEYS) === 'off') return;
  if (target.matches('input:not([type=checkbox]):not([type=radio]), select, textarea')) return;
  if (document.querySelector('dialog[open]') !== null) return;
  if (key === '/') {
    event.preventDefault();
    const box = document.querySelector(SEARCH_FIELD);
    if (box === null) document.querySelector('nav a[href="/console/agents/search"]')?.click();
    else box.focus();
  }
  const place = before === 'g' ? PLACES[key] : undefined;
  before = key;
  if (place !== undefined) {
    document.querySelector(`nav a[href="/console${place}"]`)?.click();
    return;
  }
  if (key === '?') document.querySelector('[data-key-list]')?.showModal();
  if (key === 'j') moveTo(row + 1);
  if (key === 'k') moveTo(row - 1);
  if (key === 'x') rowsOf()[row]?.querySelector('input[type=checkbox]')?.click();
});

/** A file that is dropped anywhere on a page with one file field is put into it, and opens no page of its own. */
const fileField = document.querySelector('input[type="file"]');
if (fileField !== null) {
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length === 0) return;
    fileField.files = event.dataTransfer.files;
    fileField.focus();
  });
}
