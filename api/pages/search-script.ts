/**
 * Filters the list of a page while one types: entries (`li` with `data-text`) that contain every word, and where there
 * are none, those that nearly do. The key / goes to the search.
 */
export const SEARCH_SCRIPT = String.raw`
'use strict';
(() => {
  const search = document.getElementById('search');
  if (!search) return;

  /** Insertions, deletions, replacements and swaps of neighbours between two texts. */
  const distance = (a, b) => {
    let before = [];
    let last = Array.from({ length: b.length + 1 }, (_, column) => column);
    for (let i = 1; i <= a.length; i += 1) {
      const row = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
        row[j] = Math.min(row[j - 1] + 1, last[j] + 1, change);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      before = last;
      last = row;
    }
    return last[b.length];
  };

  /** Whether the letters of a word stand in a text, in this order: docsetprop in document.setproperty. */
  const isSubsequence = (word, text) => {
    let at = 0;
    for (const letter of text) if (letter === word[at]) at += 1;
    return at === word.length;
  };

  const contains = (word, text) => text.includes(word);

  const isLike = (piece, text) =>
    contains(piece, text) ||
    (piece.length > 3 && text.split(/[^\p{L}\d]+/u).some((part) => distance(piece, part) <= piece.length / 4));

  /** A word may also be misspelt, once in four letters, or be an abbreviation of the first one, which is a name. */
  const isNear = (word, text) =>
    (word.length > 3 && isSubsequence(word, text.split(' ')[0])) ||
    word.split(/[^\p{L}\d]+/u).every((piece) => isLike(piece, text));

  const show = (matches) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const group of document.querySelectorAll('.group')) {
      let inside = 0;
      for (const entry of group.querySelectorAll('li')) {
        entry.hidden = !words.every((word) => matches(word, entry.dataset.text));
        if (!entry.hidden) inside += 1;
      }
      group.hidden = inside === 0;
      shown += inside;
    }
    return shown;
  };

  const count = document.getElementById('count');
  const filter = () => {
    let shown = show(contains);
    const isExact = shown > 0;
    if (!isExact) shown = show(isNear);
    count.textContent = shown + ' of ' + count.dataset.total + ' shown' + (isExact || shown === 0 ? '' : ': nothing has these words, but words like them');
    document.getElementById('none').hidden = shown > 0;
  };
  if (count) search.addEventListener('input', filter);

  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
})();
`
