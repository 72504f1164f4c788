extension MediaType {
    /// A line for each type: the type, then its extensions.
    ///
    /// Registered types come first; where there is none, the one in common use. `ts` is TypeScript, not MPEG-2, in
    /// most uploads: it is text/plain, as other source code is.
    static let table = """
        text/html html htm
        text/css css
        text/javascript js mjs cjs
        text/plain txt text log conf cfg ini c h cc cpp cxx hh hpp m mm swift rs go java kt kts py rb pl pm php
        text/plain lua r sql ts tsx jsx diff patch srt gradle properties env dart scala cs fs vb zig
        text/csv csv
        text/tab-separated-values tsv
        text/markdown md markdown
        text/calendar ics ifb
        text/vcard vcf vcard
        text/vtt vtt
        text/rtf rtf
        text/troff roff man
        text/x-tex tex
        application/x-bibtex bib
        application/x-sh sh bash zsh
        application/json json map
        application/json5 json5
        application/ld+json jsonld
        application/geo+json geojson
        application/jsonl jsonl ndjson
        application/yaml yaml yml
        application/toml toml
        application/xml xml xsd rng
        application/xml-dtd dtd
        application/xslt+xml xsl xslt
        application/xhtml+xml xhtml xht
        application/atom+xml atom
        application/rss+xml rss
        application/rdf+xml rdf owl
        text/turtle ttl
        application/n-triples nt
        application/wsdl+xml wsdl
        application/mathml+xml mml mathml
        application/manifest+json webmanifest
        application/wasm wasm
        application/graphql graphql gql
        application/vnd.sqlite3 sqlite sqlite3 db
        application/vnd.apache.parquet parquet
        application/vnd.apache.avro avro
        application/vnd.apache.arrow.file arrow feather
        application/vnd.apache.arrow.stream arrows
        application/x-hdf5 h5 hdf5
        application/x-netcdf nc cdf
        application/cbor cbor
        application/msgpack msgpack
        application/protobuf pb
        application/octet-stream bin dat dump img iso exe dll so dylib o a
        application/pdf pdf
        application/postscript ps eps ai
        application/msword doc dot
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
        application/vnd.ms-word.document.macroenabled.12 docm
        application/vnd.ms-excel xls xlt xla
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
        application/vnd.ms-excel.sheet.macroenabled.12 xlsm
        application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
        application/vnd.ms-powerpoint ppt pps pot
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
        application/vnd.openxmlformats-officedocument.presentationml.template potx
        application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
        application/vnd.ms-project mpp
        application/vnd.visio vsd vst
        application/vnd.ms-outlook msg
        application/onenote one
        application/vnd.oasis.opendocument.text odt
        application/vnd.oasis.opendocument.text-template ott
        application/vnd.oasis.opendocument.spreadsheet ods
        application/vnd.oasis.opendocument.spreadsheet-template ots
        application/vnd.oasis.opendocument.presentation odp
        application/vnd.oasis.opendocument.presentation-template otp
        application/vnd.oasis.opendocument.graphics odg
        application/vnd.oasis.opendocument.formula odf
        application/vnd.oasis.opendocument.base odb
        application/vnd.apple.pages pages
        application/vnd.apple.numbers numbers
        application/vnd.apple.keynote key
        application/epub+zip epub
        application/x-mobipocket-ebook mobi prc
        application/vnd.amazon.ebook azw azw3
        application/vnd.comicbook+zip cbz
        application/vnd.comicbook-rar cbr
        image/vnd.djvu djvu djv
        application/oxps oxps
        application/vnd.ms-xpsdocument xps
        application/zip zip
        application/gzip gz
        application/x-tar tar
        application/x-gtar tgz
        application/x-bzip2 bz2
        application/x-xz xz
        application/zstd zst
        application/x-lzip lz
        application/x-compress z
        application/x-7z-compressed 7z
        application/vnd.rar rar
        application/x-cpio cpio
        application/vnd.ms-cab-compressed cab
        application/java-archive jar war ear
        application/java-vm class
        application/vnd.android.package-archive apk
        application/x-apple-diskimage dmg
        application/vnd.debian.binary-package deb
        application/x-rpm rpm
        application/x-msi msi
        application/x-xpinstall xpi
        application/x-chrome-extension crx
        application/vnd.apple.installer+xml mpkg
        application/x-plist plist
        application/x-bittorrent torrent
        application/x-shockwave-flash swf
        application/x-ipynb+json ipynb
        application/pgp-encrypted pgp gpg
        application/pgp-signature sig
        application/pgp-keys asc
        application/pkcs7-mime p7m p7c
        application/pkcs7-signature p7s
        application/pkcs8 p8
        application/pkcs10 p10 csr
        application/pkix-cert cer
        application/pkix-crl crl
        application/x-x509-ca-cert crt der
        application/x-pem-file pem
        application/x-pkcs12 p12 pfx
        application/vnd.apple.pkpass pkpass
        message/rfc822 eml mht mhtml
        application/mbox mbox
        application/vnd.tcpdump.pcap pcap cap
        application/dicom dcm
        application/vnd.google-earth.kml+xml kml
        application/vnd.google-earth.kmz kmz
        application/gpx+xml gpx
        application/gml+xml gml
        application/vnd.shp shp
        application/vnd.dbf dbf
        application/vnd.las las
        image/png png
        image/apng apng
        image/jpeg jpg jpeg jpe jfif
        image/gif gif
        image/webp webp
        image/avif avif
        image/heic heic
        image/heif heif hif
        image/heic-sequence heics
        image/jxl jxl
        image/jp2 jp2 jpg2
        image/jpx jpx jpf
        image/svg+xml svg svgz
        image/bmp bmp dib
        image/tiff tif tiff
        image/x-adobe-dng dng
        image/vnd.microsoft.icon ico cur
        image/x-icns icns
        image/vnd.adobe.photoshop psd
        image/vnd.dxf dxf
        image/vnd.dwg dwg
        image/vnd.radiance hdr
        image/aces exr
        image/ktx ktx
        image/ktx2 ktx2
        image/vnd.ms-dds dds
        image/x-tga tga
        image/x-portable-pixmap ppm
        image/x-portable-graymap pgm
        image/x-portable-bitmap pbm
        image/x-xcf xcf
        image/x-canon-cr2 cr2
        image/x-canon-cr3 cr3
        image/x-nikon-nef nef
        image/x-sony-arw arw
        image/emf emf
        image/wmf wmf
        audio/mpeg mp3 mpga mp2
        audio/mp4 m4a mp4a m4b
        audio/aac aac adts
        audio/ogg ogg oga spx
        audio/opus opus
        audio/flac flac
        audio/vnd.wave wav
        audio/aiff aif aiff aifc
        audio/basic au snd
        audio/midi mid midi kar rmi
        audio/amr amr
        audio/amr-wb awb
        audio/x-caf caf
        audio/x-ms-wma wma
        audio/x-matroska mka
        audio/ac3 ac3
        audio/eac3 eac3
        audio/x-mpegurl m3u
        video/mp4 mp4 mp4v mpg4
        video/x-m4v m4v
        video/mpeg mpeg mpg mpe m1v m2v
        video/webm webm
        video/ogg ogv
        video/quicktime mov qt
        video/matroska mkv
        video/x-msvideo avi
        video/x-ms-wmv wmv
        video/x-ms-asf asf asx
        video/x-flv flv
        video/3gpp 3gp 3gpp
        video/3gpp2 3g2
        video/mp2t m2ts mts
        video/h264 h264
        video/h265 h265
        application/vnd.apple.mpegurl m3u8
        application/dash+xml mpd
        application/ogg ogx
        font/ttf ttf
        font/otf otf
        font/collection ttc
        font/woff woff
        font/woff2 woff2
        application/vnd.ms-fontobject eot
        model/gltf+json gltf
        model/gltf-binary glb
        model/obj obj
        model/mtl mtl
        model/stl stl
        model/3mf 3mf
        model/vnd.usdz+zip usdz
        model/vnd.collada+xml dae
        model/step step stp
        model/iges igs iges
        """
}
