import { html } from 'hono/html'

/** A description with what stands between backticks as code, as OpenAPI has it. */
export const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
