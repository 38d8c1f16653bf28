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

/** The menu closes with Escape. */
document.addEventListener('keydown', (event) => {
  const menu = document.querySelector('[data-menu][open]');
  if (event.key !== 'Escape' || menu === null) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

/** Keys, outside fields only. `data-keys="off"` on the content switches them off. */
const content = document.querySelector('#content');
const rowsOf = () => [...document.querySelectorAll('tbody tr, .cards li, .steps-list > li')];
let row = -1;
const moveTo = (index) => {
  const rows = rowsOf();
  if (rows.length === 0) return;
  row = Math.min(Math.max(index, 0), rows.length - 1);
  const link = rows[row].querySelector('a, input, button');
  if (link === null) rows[row].scrollIntoView({ block: 'nearest' });
  else link.focus();
};
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || content?.dataset.keys === 'off') return;
  if (target.matches('input:not([type=checkbox]):not([type=radio]), select, textarea')) return;
  if (key === '/') {
    const box = document.querySelector('input[type=search]');
    if (box !== null) {
      event.preventDefault();
      box.focus();
    }
  }
  if (key === 'j') moveTo(row + 1);
  if (key === 'k') moveTo(row - 1);
  if (key === 'x') rowsOf()[row]?.querySelector('input[type=checkbox]')?.click();
});
