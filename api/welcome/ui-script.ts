/** Servers do not see what stands behind `#`: `!/doc/{id}`, also with a repository before the id, or `!/browse/{path}`. */
export const UI_SCRIPT = String.raw`
(() => {
  const { api } = document.getElementById('target').dataset;
  const [, kind, rest] = /^#!\/(doc|browse)\/(.+)$/.exec(location.hash) ?? [];
  if (!kind) return;
  const path = kind === 'browse' ? '/path/' + rest : '/id/' + rest.split('/').filter(Boolean).at(-1);
  location.replace(api + path);
})();
`
