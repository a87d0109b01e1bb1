extension Feed {
    /// Everything between `<style>` and `</style>` on every page, byte for byte, so that a Content-Security-Policy can
    /// name its hash.
    package static let pageStyle: StaticString = """

        :root { color-scheme: light dark; --ink: #1c1b1a; --soft: #66615b; --line: #e4dfd8; --paper: #fdfcfa; \
        --link: #0b5c8a; --bar: #2a8f5b }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #ece8e2; --soft: #a39c93; --line: #37332f; --paper: #191816; --link: #7cc3ee; --bar: #52b988 }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 44rem; color: var(--ink); \
        background: var(--paper);
          font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100% }
        h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere }
        .scroll { overflow-x: auto }
        table { width: 100%; border-collapse: collapse }
        caption { padding: 0 .5rem .75rem; text-align: left; color: var(--soft); font-size: .9rem }
        th, td { padding: .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: middle }
        thead th { color: var(--soft); font-size: .8rem; font-weight: 600; white-space: nowrap }
        tbody th { font-weight: 600; min-width: 9rem; overflow-wrap: anywhere }
        .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
        .face { display: inline-block; width: 40px; height: 40px; margin-right: .75rem; border-radius: 8px; \
        background: var(--line);
          vertical-align: middle }
        time { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums }
        progress { width: 6rem; margin-right: .5rem; accent-color: var(--bar); vertical-align: middle }
        .nobody { padding: 2.5rem 1rem; text-align: center; color: var(--soft) }
        a { color: var(--link) }
        nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-top: 1.25rem; font-size: .9rem }
        nav a { padding: .25rem 0 }

        """
}
