"""The options that choose clients and servers."""


def add_options(parser):
    """Adds the options."""
    parser.add_argument("formdata", help="the built tool")
    parser.add_argument("--light", action="store_true", help="only curl, Python, Node and Go")
    parser.add_argument("--install", action="store_true", help="install missing Debian packages")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--tables", action="store_true", help="replace the tables of Details.md")


def chosen(peers, arguments):
    """The peers that the options choose."""
    for peer in peers:
        if (peer.is_light or not arguments.light) and (not arguments.only or peer.name in arguments.only):
            yield peer
