// Starts the viewer of the API reference. It loads nothing from other origins and reports nothing to them.
{
  const { viewer, document: documentUrl } = document.currentScript.dataset
  const base = new URL('.', location.href).href.replace(/\/$/, '')
  const outline = document.querySelector('#outline')
  const homeLinks = { home: outline.querySelector('.home'), places: outline.querySelector('.places') }
  const OUTLINE_MS_MAX = 15_000

  // The viewer chooses in the same way, but later. Until the reader chooses here, the site's theme holds.
  const siteTheme = localStorage.getItem('theme')
  const mode = localStorage.getItem('colorMode') ?? siteTheme ?? 'system'
  const isDark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.body.classList.add(isDark ? 'dark-mode' : 'light-mode')

  // The viewer's validator tries `new Function` to find out whether it may compile. The page's policy forbids that, and
  // the browser would report each attempt.
  globalThis.Function = new Proxy(Function, {
    construct() {
      throw new EvalError('not allowed on this page')
    },
  })

  const script = document.createElement('script')
  script.src = viewer
  script.onload = () =>
    globalThis.Scalar.createApiReference('#reference', {
      url: new URL(documentUrl, location.href).href,
      baseServerURL: base,
      servers: [{ url: base }],
      theme: 'none',
      ...(siteTheme && { darkMode: isDark }),
      layout: 'modern',
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      agent: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      documentDownloadType: 'none',
      defaultOpenFirstTag: true,
      orderSchemaPropertiesBy: 'preserve',
      orderRequiredPropertiesFirst: true,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      // What is left: curl, fetch, Python's requests and Go.
      hiddenClients: {
        c: true,
        clojure: true,
        csharp: true,
        dart: true,
        fsharp: true,
        http: true,
        java: true,
        js: ['axios', 'jquery', 'ofetch', 'xhr'],
        kotlin: true,
        node: true,
        objc: true,
        ocaml: true,
        php: true,
        powershell: true,
        python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
        r: true,
        ruby: true,
        rust: true,
        shell: ['httpie', 'wget'],
        swift: true,
      },
    })
  script.onerror = () => {
    outline.querySelector('.status').textContent =
      'The endpoints and guides could not be loaded. Reload the page to try again.'
  }
  document.body.append(script)

  // The viewer has copy buttons for its samples, but not for the code in guides.
  const addCopyButtons = () => {
    for (const block of document.querySelectorAll('.markdown pre:not(:has(.copy))')) {
      const button = document.createElement('button')
      button.className = 'copy'
      button.type = 'button'
      button.textContent = 'Copy'
      button.onclick = async () => {
        await navigator.clipboard.writeText(block.querySelector('code').textContent)
        button.textContent = 'Copied'
        setTimeout(() => {
          button.textContent = 'Copy'
        }, 2_000)
      }
      block.append(button)
    }
  }

  // The viewer's settings have no place for links to the site: above the sidebar, and on a phone one in the bar.
  const addHomeLinks = () => {
    if (!homeLinks.home) return
    for (const place of document.querySelectorAll(
      '#reference :is(aside.t-doc__sidebar, .t-doc__header > header)',
    )) {
      if (place.querySelector(':scope > .home')) continue
      const added = [homeLinks.home.cloneNode(true)]
      if (place.matches('aside')) added.push(homeLinks.places.cloneNode(true))
      place.prepend(...added)
    }
  }

  // Browsers break a path inside its words, or not at all. With these, and the style sheet, it breaks only where a part ends.
  const addBreaks = path => {
    const text = path.textContent
    const isBreak = at => /[/?&]/.test(text[at]) && /[^\s/]/.test(text[at - 1] ?? ' ') && at < text.length - 1
    const walker = document.createTreeWalker(path, NodeFilter.SHOW_TEXT)
    const nodes = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    let end = text.length
    for (const node of nodes.reverse()) {
      const start = end - node.length
      for (let at = end - 1; at >= start; at--)
        if (isBreak(at)) node.splitText(at + 1 - start).before(document.createElement('wbr'))
      end = start
    }
  }

  // What the viewer leaves out for screen readers and the keyboard. It draws parts again, so this is repeated.
  const fix = (selector, change) => {
    for (const element of document.querySelectorAll(`#reference ${selector}`)) change(element)
  }
  const fixViewer = () => {
    fix('[aria-selected]:not([role=tab], [role=option])', element => {
      if (element.getAttribute('aria-selected') === 'true') element.setAttribute('aria-current', 'true')
      else element.removeAttribute('aria-current')
      element.removeAttribute('aria-selected')
    })
    // Its name is what can be read on it.
    fix('button[role=search]', button => {
      button.removeAttribute('role')
      button.removeAttribute('aria-label')
    })
    fix('[role=tablist] button:not([role])', button => {
      button.setAttribute('role', 'tab')
      button.setAttribute('aria-selected', 'false')
      if (!button.textContent.trim()) button.setAttribute('aria-label', 'More')
    })
    fix('[class*=copy-button]:not([aria-label])', button => button.setAttribute('aria-label', 'Copy'))
    fix('.show-more[aria-label]', button => button.removeAttribute('aria-label'))
    fix('[tabindex="1"]', element => element.setAttribute('tabindex', '0'))
    fix(':is(.endpoint-path, .operation-path, .markdown :not(pre) > code):not(:has(wbr))', addBreaks)
    // What may be longer than its box can be scrolled with the keyboard.
    fix(':is(code.hljs, ul.endpoints):not([tabindex])', element => {
      element.tabIndex = 0
    })
  }
  const FIX_MS = 250
  let isFixing = false
  const fixSoon = () => {
    if (isFixing) return
    isFixing = true
    setTimeout(() => {
      isFixing = false
      fixViewer()
    }, FIX_MS)
  }

  // The outline covers the viewer until that has its first heading, or with a link to a part of it, any heading: the
  // viewer draws that part first. It goes in any case, because it would hide an error.
  const firstHeading = location.hash ? '#reference section :is(h1, h2, h3)' : '#reference h1'
  const removeOutline = () => outline.remove()
  script.addEventListener('load', () => setTimeout(removeOutline, OUTLINE_MS_MAX))

  new MutationObserver(() => {
    if (document.querySelector(firstHeading)) removeOutline()
    addCopyButtons()
    addHomeLinks()
    fixSoon()
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-selected'] })
}
