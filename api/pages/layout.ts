import { randomBytes } from 'node:crypto'
import { html, raw } from 'hono/html'
import { SEARCH_SCRIPT } from './search-script.js'
import { STYLE } from './style.js'

/** Markup in which every interpolated value is escaped. */
export type Html = ReturnType<typeof html>

/** What the pages of one place share. Addresses are relative to the page, or whole. */
export type Site = {
  /** The second word of the heading. */
  name: string
  home: string
  /** Where a search is sent without scripts, and what it finds. */
  search?: { action: string; label: string }
  links: readonly { href: string; text: string }[]
  /** What runs besides the search; it inserts text only. */
  script?: string
}

export type Page = { title: string; query?: string; content: Html }

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const searchForm = ({ action, label }: NonNullable<Site['search']>, query: string): Html => html`
<form role="search" action="${action}" method="get">
<label for="search" class="unseen">${label}</label>
<input id="search" name="q" type="search" value="${query}" placeholder="${label}, or press /" aria-keyshortcuts="/" autocomplete="off">
<button type="submit">Search</button>
</form>`

const documentOf = (
  { name, home, search, links, script = '' }: Site,
  { title, query = '', content }: Page,
  nonce: string,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Archivolt ${name}</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${home}">Archivolt <span>${name}</span></a>${search ? searchForm(search, query) : ''}
<nav aria-label="Pages">${links.map(({ href, text }) => html`<a href="${href}">${text}</a>`)}</nav>
</header>
<main id="content" tabindex="-1">${content}</main>
<script nonce="${nonce}">${raw(SEARCH_SCRIPT)}${raw(script)}</script>
</body>
</html>`

/** A page that loads nothing and runs only its own script, by a nonce for each response. */
export const respondWithPage = async (
  site: Site,
  { status = 200, ...page }: Page & { status?: 200 | 404 },
): Promise<Response> => {
  const nonce = randomBytes(18).toString('base64')
  return new Response(String(await documentOf(site, page, nonce)), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policyWith(nonce),
      'Cache-Control': 'private, no-store',
    },
  })
}
