import { randomBytes } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Html } from './markup.js'
import { SCRIPT } from './script.js'
import { STYLE } from './style.js'

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

export type Page = { title: string; query?: string; content: Html }

const documentOf = ({ title, query = '', content }: Page, nonce: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Archivolt automation</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="./doc">Archivolt <span>automation</span></a>
<form role="search" action="./doc" method="get">
<label for="search" class="unseen">Search operations and chains</label>
<input id="search" name="q" type="search" value="${query}" placeholder="Search operations and chains" autocomplete="off">
<button type="submit">Search</button>
</form>
<nav aria-label="Ways to browse"><a href="./doc">By category</a><a href="./doc?browse=label">By label</a><a href="./?pretty=true">JSON</a></nav>
</header>
<main id="content" tabindex="-1">${content}</main>
<script nonce="${nonce}">${raw(SCRIPT)}</script>
</body>
</html>`

/** A page that loads nothing and runs only its own script, by a nonce for each response. */
export const respondWithPage = async (page: Page, status: 200 | 404 = 200): Promise<Response> => {
  const nonce = randomBytes(18).toString('base64')
  return new Response(String(await documentOf(page, nonce)), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policyWith(nonce),
      'Cache-Control': 'private, no-store',
    },
  })
}
