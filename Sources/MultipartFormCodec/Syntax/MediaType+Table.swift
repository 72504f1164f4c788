// The media types of file name extensions.
extension MediaType {
    /// One line for each type: the type, then its extensions.
    ///
    /// The table has the types that IANA has registered. For a file format without a registered type, the table has the
    /// most widely used type. All types are in lower case, as browsers send them. Exceptions and special cases:
    /// - Source code in a language without a type is text/plain.
    /// - The extensions ts, tsx, rs, m, cs and org are text/plain. Files of their registered or customary types, such
    ///   as MPEG-2 for ts, are rarely uploaded.
    /// - The extension iso has the type of a disc image. Its registered type is that of a UEFI boot image, which is
    ///   rarely uploaded.
    /// - A compressed archive has the type of its outer layer, such as application/gzip for tgz.
    /// - Messages and web archives, such as eml and mhtml, are not in the table. Their types begin with `message/` or
    ///   `multipart/`. Some parsers lose the content of a part with such a type, and strict mode refuses such a part.
    static let table = """
        text/calendar ics ifb
        text/css css
        text/csv csv
        text/html html htm shtml
        text/javascript js mjs
        text/markdown md markdown mkd
        text/prs.fallenstein.rst rst
        text/tab-separated-values tsv
        text/turtle ttl
        text/vcard vcf vcard
        text/vtt vtt
        application/node cjs
        application/sql sql
        text/plain txt text log conf cfg ini properties env list diff patch lock nfo ldif po strings sbv
        text/plain adoc asciidoc org tex ltx latex sty cls bib textile
        text/plain c h cc cpp cxx hh hpp hxx inl m mm cu cuh glsl vert frag hlsl metal asm
        text/plain swift java kt kts scala groovy gradle clj cljs go rs zig nim cs csx fs fsx vb
        text/plain py pyi pyx rb erb rake pl pm php lua r jl tcl awk sed
        text/plain hs lhs ml mli erl hrl ex exs elm lisp el scm rkt pas f90 f95 adb ads cob
        text/plain sh bash zsh fish csh bat cmd ps1 psm1 mk cmake
        text/plain ts tsx cts jsx vue svelte astro scss sass less styl pug hbs ejs mustache
        text/plain jsonc graphql gql proto thrift tf tfvars hcl nix

        application/atom+xml atom
        application/cbor cbor
        application/dash+xml mpd
        application/dicom dcm
        application/gzip gz tgz
        application/json json map avsc
        application/ld+json jsonld
        application/manifest+json webmanifest
        application/mathml+xml mml mathml
        application/octet-stream bin
        application/protobuf pb binpb
        application/rdf+xml rdf owl
        application/rss+xml rss
        application/toml toml
        application/ttml+xml ttml dfxp
        application/vnd.apache.arrow.file arrow feather
        application/vnd.apache.parquet parquet
        application/vnd.iccprofile icc icm
        application/vnd.msgpack msgpack
        application/vnd.sqlite3 sqlite sqlite3
        application/vnd.tcpdump.pcap pcap cap
        application/wasm wasm
        application/x-hdf5 h5 hdf5
        application/x-ipynb+json ipynb
        application/x-ndjson ndjson jsonl
        application/x-netcdf nc
        application/x-plist plist
        application/x-subrip srt
        application/xhtml+xml xhtml xht
        application/xliff+xml xlf xliff
        application/xml xml xsd rng resx csproj xib storyboard
        application/xml-dtd dtd
        application/xslt+xml xsl xslt
        application/xspf+xml xspf
        application/yaml yaml yml

        application/geo+json geojson
        application/gpx+xml gpx
        application/vnd.google-earth.kml+xml kml
        application/vnd.google-earth.kmz kmz

        application/epub+zip epub
        application/pdf pdf
        application/postscript ps eps ai
        application/rtf rtf
        application/vnd.comicbook+zip cbz
        application/vnd.comicbook-rar cbr
        application/vnd.ms-xpsdocument xps
        application/vnd.recordare.musicxml+xml musicxml
        application/vnd.wordperfect wpd
        application/x-fictionbook+xml fb2
        application/x-hwp hwp
        application/x-indesign indd
        application/x-mobipocket-ebook mobi

        application/msaccess mdb accdb
        application/msword doc
        application/onenote one onepkg
        application/vnd.apple.keynote key keynote
        application/vnd.apple.numbers numbers
        application/vnd.apple.pages pages
        application/vnd.ms-excel xls xlt
        application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
        application/vnd.ms-excel.sheet.macroenabled.12 xlsm
        application/vnd.ms-outlook msg
        application/vnd.ms-powerpoint ppt pps
        application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
        application/vnd.ms-project mpp
        application/vnd.ms-visio.drawing vsdx
        application/vnd.ms-word.document.macroenabled.12 docm
        application/vnd.oasis.opendocument.graphics odg
        application/vnd.oasis.opendocument.presentation odp
        application/vnd.oasis.opendocument.spreadsheet ods
        application/vnd.oasis.opendocument.text odt
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
        application/vnd.openxmlformats-officedocument.presentationml.template potx
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
        application/vnd.visio vsd vst vss

        application/java-archive jar war ear
        application/java-vm class
        application/vnd.adobe.flash.movie swf
        application/vnd.android.package-archive apk
        application/vnd.apple.installer+xml pkg mpkg
        application/vnd.apple.pkpass pkpass
        application/vnd.debian.binary-package deb
        application/vnd.microsoft.portable-executable exe dll sys
        application/vnd.rar rar
        application/x-7z-compressed 7z
        application/x-apple-aspen-config mobileconfig
        application/x-apple-diskimage dmg
        application/x-bittorrent torrent
        application/x-bzip2 bz2 tbz2
        application/x-iso9660-image iso
        application/x-msi msi
        application/x-rpm rpm
        application/x-stuffit sit
        application/x-tar tar
        application/x-xpinstall xpi
        application/x-xz xz txz
        application/zip zip
        application/zstd zst tzst

        application/pem-certificate-chain pem
        application/pgp-encrypted pgp gpg
        application/pgp-signature asc sig
        application/pkcs10 p10 csr
        application/pkcs12 p12 pfx
        application/pkcs7-mime p7m p7c
        application/pkcs7-signature p7s
        application/pkcs8 p8
        application/pkix-cert cer
        application/pkix-crl crl
        application/x-pkcs7-certificates p7b spc
        application/x-x509-ca-cert crt der

        application/ogg ogx
        application/vnd.apple.mpegurl m3u8
        audio/aac aac adts
        audio/ac3 ac3
        audio/amr amr
        audio/basic au snd
        audio/flac flac
        audio/matroska mka
        audio/midi mid midi kar
        audio/mp4 m4a m4b m4p m4r
        audio/mpeg mp3 mp2 mpga
        audio/mpegurl m3u
        audio/ogg oga ogg opus spx
        audio/wav wav
        audio/webm weba
        audio/x-aiff aif aiff aifc
        audio/x-caf caf
        audio/x-ms-wma wma
        audio/x-pn-realaudio ra ram

        application/mxf mxf
        application/vnd.ms-asf asf
        video/3gpp 3gp 3gpp
        video/3gpp2 3g2 3gp2
        video/matroska mkv
        video/mp2t m2ts m2t mts
        video/mp4 mp4 m4v mp4v mpg4
        video/mpeg mpeg mpg mpe m1v m2v vob
        video/ogg ogv
        video/quicktime mov qt
        video/webm webm
        video/x-flv flv
        video/x-ms-wmv wmv
        video/x-msvideo avi

        image/aces exr
        image/apng apng
        image/avif avif avifs
        image/bmp bmp dib
        image/emf emf
        image/gif gif
        image/heic heic
        image/heif heif hif
        image/jp2 jp2 jpg2
        image/jpeg jpg jpeg jpe jfif pjpeg pjp
        image/jxl jxl
        image/png png
        image/svg+xml svg svgz
        image/tiff tif tiff
        image/vnd.adobe.photoshop psd
        image/vnd.djvu djvu djv
        image/vnd.dwg dwg
        image/vnd.dxf dxf
        image/vnd.microsoft.icon ico cur
        image/webp webp
        image/wmf wmf
        image/x-adobe-dng dng
        image/x-canon-cr2 cr2
        image/x-canon-cr3 cr3
        image/x-fuji-raf raf
        image/x-icns icns
        image/x-nikon-nef nef
        image/x-olympus-orf orf
        image/x-panasonic-rw2 rw2
        image/x-pentax-pef pef
        image/x-portable-anymap pnm
        image/x-portable-bitmap pbm
        image/x-portable-graymap pgm
        image/x-portable-pixmap ppm
        image/x-samsung-srw srw
        image/x-sony-arw arw
        image/x-tga tga
        image/x-xcf xcf
        image/x-xpixmap xpm

        application/vnd.ms-fontobject eot
        font/collection ttc otc
        font/otf otf
        font/ttf ttf
        font/woff woff
        font/woff2 woff2

        application/p21 ifc p21
        application/x-blender blend
        model/3mf 3mf
        model/gltf+json gltf
        model/gltf-binary glb
        model/iges igs iges
        model/mtl mtl
        model/obj obj
        model/step stp step
        model/stl stl
        model/vnd.collada+xml dae
        model/vnd.usdz+zip usdz
        application/mbox mbox
        """
}
