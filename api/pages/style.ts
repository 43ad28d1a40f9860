/** Colours by the reader's choice of light and dark; contrasts of text are 4.5 to 1 or more. */
export const STYLE = `
:root{--page:#f6f7f9;--card:#fff;--text:#1c2430;--soft:#566072;--line:#d9dee6;--link:#0b57b0;--accent:#0b57b0;--on:#fff;--good:#17692f;--bad:#b3261e;--code:#eef1f5}
@media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2029;--text:#e6eaf0;--soft:#a5b0c0;--line:#323b48;--link:#8ab8ff;--accent:#8ab8ff;--on:#0d1b2e;--good:#7fd79a;--bad:#ff9b93;--code:#232b36}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
[hidden]{display:none!important}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem;z-index:2}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;padding:.75rem 1.5rem;background:var(--card);border-bottom:1px solid var(--line)}
.brand{font-weight:700;text-decoration:none;color:var(--text)}.brand span{font-weight:400;color:var(--soft)}
header form{display:flex;gap:.5rem;flex:1 1 18rem;max-width:40rem}
header nav{display:flex;gap:1rem}
input,textarea,select,button{font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.4rem .65rem}
input[type=search]{flex:1;min-width:0}
button{cursor:pointer;background:var(--card)}button.primary{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600;padding:.5rem 1.5rem}
button:disabled{opacity:.6;cursor:progress}
main{max-width:70rem;margin:0 auto;padding:1.5rem}main:focus{outline:none}
h1{font-size:1.7rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .6rem;scroll-margin-top:5rem}
.categories{display:flex;flex-wrap:wrap;gap:.4rem}
.categories a{padding:.15rem .7rem;border:1px solid var(--line);border-radius:99px;background:var(--card);text-decoration:none;font-size:.9rem}
.entries{list-style:none;margin:0;padding:0;display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(min(21rem,100%),1fr))}
.entries li{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem;overflow-wrap:anywhere}
.entries a{font-weight:600}.entries p{margin:.3rem 0 0;font-size:.92rem;color:var(--soft)}
.entries code{font-size:.8rem}
.types span,.pair{display:inline-block;font-size:.82rem;border:1px solid var(--line);border-radius:5px;padding:0 .4rem;white-space:nowrap}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em}
code{background:var(--code);padding:.05rem .3rem;border-radius:4px}
pre{background:var(--code);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;overflow:auto;max-height:34rem}pre code{background:none;padding:0}
.description{font-size:1.08rem;color:var(--soft);white-space:pre-line;overflow-wrap:anywhere}
.facts{display:grid;gap:.4rem;margin:1rem 0}.facts div{display:flex;gap:1rem}.facts dt{flex:0 0 6rem;color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}
.links{display:flex;flex-wrap:wrap;gap:1.25rem}
.warnings ul{margin:0;padding:.6rem 1rem .6rem 2rem;background:var(--card);border:1px solid var(--line);border-left:5px solid var(--bad);border-radius:8px}.warnings li{overflow-wrap:anywhere}.warnings small{color:var(--soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line)}
th,td{text-align:left;vertical-align:top;padding:.45rem .7rem;border-bottom:1px solid var(--line)}thead th{font-size:.85rem;color:var(--soft)}
.plan{list-style:none;padding:0;display:grid;gap:.6rem}.plan>li{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--good);border-radius:8px;padding:.6rem 1rem}
.plan>li.call,.plan>li.loop{border-left-color:var(--accent)}.steps{margin:.3rem 0}
#try{display:grid;gap:1rem;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem}#try p{margin:0;color:var(--soft)}
fieldset{border:0;padding:0;margin:0;display:grid;gap:.6rem;min-width:0}legend{font-weight:600;padding:0;margin-bottom:.4rem}
.field{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem}.field label{overflow-wrap:anywhere;padding-top:.4rem}.field small{display:block;color:var(--soft)}
.field b{color:var(--bad)}textarea,.field input{width:100%;resize:vertical;field-sizing:content;min-height:2.4rem}
td small,th small{color:var(--soft);font-weight:400}.buttons{display:flex;gap:.75rem}.buttons button{padding:.5rem 1.5rem}.field select+small{margin-top:.25rem}
#answer{margin-top:1rem;border:1px solid var(--line);border-left:5px solid var(--good);border-radius:8px;padding:.6rem 1rem;background:var(--card)}#answer.bad{border-left-color:var(--bad)}
#answer h3{margin:.2rem 0;font-size:1rem}.steps .failed,.steps .caught{color:var(--bad)}.steps .skipped,.steps .waiting{color:var(--soft)}#answer li{overflow-wrap:anywhere}.refusal{color:var(--bad);overflow-wrap:anywhere}
@media (max-width:40rem){.field{grid-template-columns:1fr}header,main{padding-left:1rem;padding-right:1rem}.facts div{flex-direction:column;gap:0}.facts dt{flex:none}thead{display:none}table,tbody,tr,th,td{display:block}tr{padding:.5rem .7rem;border-bottom:1px solid var(--line)}th,td{border:0;padding:.1rem 0}td:empty{display:none}th,td:nth-child(2),td:nth-child(3){display:inline-block;margin-right:.75rem}td:nth-child(2),td:nth-child(3){color:var(--soft)}}
`
